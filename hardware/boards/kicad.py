"""Makes a board file with KiCad's own library: footprints, nets, tracks, planes, words. Runs where KiCad 9 is."""

from pathlib import Path
from typing import Any

import pcbnew

from hardware import dimensions as mm
from hardware.boards.layout import Layout, Spot
from hardware.boards.routing import VIA, Box, Disc, Pad, Router, Task
from hardware.circuits.catalogue import Kind
from hardware.circuits.netlist import Netlist

FOOTPRINTS = Path("/usr/share/kicad/footprints")
OFFSET = 40.0
"""From the corner of the sheet."""
NAMED_INSIDE = ("SW", "Arduino_Nano")
"""Parts whose name is printed under them: beside them there is no room."""
VALUED_INSIDE = ("R", "74LVC245", "74HCT125")
"""Of these the value, too, below the name: you need no list to solder."""
VALUED_BESIDE = ("C", "CP", "D", "F", "Q", "RN")
"""Of these the name is printed on one side, the value on the other."""
MARGIN = 12.0
"""Around the board, on the sheet that shows where the parts go."""
LINE = 1.25
"""From one line of print to the next."""
PRINT, STROKE = 1.0, 0.15
"""How high and how thick letters are printed: what every board house can print so that it can be read."""
STITCH = 9.0
"""From one via between the two ground planes to the next, about."""
LAYERS = (pcbnew.F_Cu, pcbnew.B_Cu)
SEED = 1
"""KiCad gives everything on a board a random name: from one seed they are the same each time."""


def point(x: float, y: float) -> pcbnew.VECTOR2I:
    return pcbnew.VECTOR2I(pcbnew.FromMM(x + OFFSET), pcbnew.FromMM(y + OFFSET))


class Maker:
    """One board, from its netlist and its layout."""

    def __init__(self, netlist: Netlist, layout: Layout, path: Path) -> None:
        pcbnew.KIID.SeedGenerator(SEED)
        self.netlist, self.layout = netlist, layout
        self.board = pcbnew.NewBoard(str(path))
        self.path = path
        self.nets: dict[str, Any] = {}

    def make(self) -> list[str]:
        """Draw it, wire it, save it. What is returned could not be wired."""
        self._rules()
        self._nets()
        self._outline()
        for ref in self.netlist.parts:
            self._part(ref)
        for number, hole in enumerate(self.layout.holes, 1):
            self._hole(number, hole)
        left = self._wires()
        for text, x, y, height in self.layout.words:
            self._word(text, x, y, height)
        self._planes()
        pcbnew.SaveBoard(str(self.path), self.board)
        _fill(self.path)
        return left

    def _rules(self) -> None:
        settings = self.board.GetDesignSettings()
        settings.m_TrackMinWidth = pcbnew.FromMM(0.2)
        settings.m_ViasMinSize = pcbnew.FromMM(0.6)
        settings.m_CopperEdgeClearance = pcbnew.FromMM(0.4)
        settings.m_MinResolvedSpokes = 1
        settings.SetBoardThickness(pcbnew.FromMM(mm.BOARD_THICKNESS))
        block = self.board.GetTitleBlock()
        block.SetTitle(f"Companion, {self.netlist.name}")
        block.SetRevision("A")
        block.SetComment(0, "made by `make board`; never built yet")

    def _nets(self) -> None:
        for name in sorted(self.netlist.nets):
            net = pcbnew.NETINFO_ITEM(self.board, name)
            self.board.Add(net)
            self.nets[name] = net

    def _outline(self) -> None:
        shape = pcbnew.PCB_SHAPE(self.board, pcbnew.SHAPE_T_RECT)
        shape.SetStart(point(self.layout.outline.x, self.layout.outline.y))
        shape.SetEnd(point(self.layout.outline.right, self.layout.outline.bottom))
        shape.SetLayer(pcbnew.Edge_Cuts)
        shape.SetWidth(pcbnew.FromMM(0.1))
        self.board.Add(shape)

    def _footprint(self, name: str, ref: str, spot: Spot) -> Any:
        library, _, own = name.partition(":")
        footprint = pcbnew.FootprintLoad(str(FOOTPRINTS / f"{library}.pretty"), own)
        footprint.SetFPIDAsString(name)
        footprint.SetReference(ref)
        self.board.Add(footprint)
        footprint.SetOrientationDegrees(spot.turned)
        footprint.SetPosition(point(spot.x, spot.y))
        if ref in self.layout.over_the_edge:
            self._trim(footprint)
        return footprint

    def _trim(self, footprint: Any) -> None:
        """What would be printed beside the board is not printed."""
        outline = self.layout.outline
        size = pcbnew.VECTOR2I_MM(outline.width - 0.4, outline.height - 0.4)
        board = pcbnew.BOX2I(point(outline.x + 0.2, outline.y + 0.2), size)
        for item in list(footprint.GraphicalItems()):
            if item.GetLayer() == pcbnew.F_SilkS and not board.Contains(item.GetBoundingBox()):
                footprint.Remove(item)

    def _part(self, ref: str) -> None:
        part = self.netlist.parts[ref]
        footprint = self._footprint(part.kind.footprint, ref, self.layout.spots[ref])
        footprint.SetValue(part.value)
        footprint.SetField("MPN", part.kind.number)
        for pad in footprint.Pads():
            net = self.netlist.net_of(ref, pad.GetNumber())
            if net:
                pad.SetNet(self.nets[net])
        for field in footprint.GetFields():
            if field.GetName() not in ("Reference", "Value"):
                field.SetVisible(False)
        self._names(footprint, part.kind)

    def _names(self, footprint: Any, kind: Kind) -> None:
        """What is printed at a part: its name, and where there is room its value."""
        name, value = footprint.Reference(), footprint.Value()
        room = footprint.GetCourtyard(pcbnew.F_CrtYd).BBox()
        middle = room.GetCenter()
        if kind.name in VALUED_INSIDE:
            across = room.GetWidth() > room.GetHeight()
            aside = pcbnew.VECTOR2I_MM(0, LINE / 2) if across else pcbnew.VECTOR2I_MM(LINE / 2, 0)
            name.SetPosition(middle - aside)
            value.SetPosition(middle + aside)
            value.SetLayer(pcbnew.F_SilkS)
            for text in (name, value):
                text.SetTextAngleDegrees(0 if across else 90)
        elif kind.name in VALUED_BESIDE:
            self._beside(footprint, room)
        elif kind.name in NAMED_INSIDE:
            name.SetPosition(middle)
        if kind.prefix == "TP":
            name.SetVisible(False)
        for text in (name, value):
            text.SetTextSize(pcbnew.VECTOR2I_MM(PRINT, PRINT))
            text.SetTextThickness(pcbnew.FromMM(STROKE))

    def _beside(self, footprint: Any, room: Any) -> None:
        """Name and value on the two long sides of a part, or where the layout wants them."""
        name, value = footprint.Reference(), footprint.Value()
        value.SetLayer(pcbnew.F_SilkS)
        value.SetVisible(True)
        across = room.GetWidth() >= room.GetHeight()
        reach = pcbnew.ToMM(room.GetHeight() if across else room.GetWidth()) / 2 + PRINT / 2 + 0.1
        aside = pcbnew.VECTOR2I_MM(0, reach) if across else pcbnew.VECTOR2I_MM(reach, 0)
        wanted = self.layout.labels.get(footprint.GetReference())
        for text, place, sign in ((name, 0, -1), (value, 1, 1)):
            if wanted:
                text.SetPosition(point(wanted[place].x, wanted[place].y))
                text.SetTextAngleDegrees(wanted[place].turned)
            else:
                text.SetPosition(room.GetCenter() + (aside if sign > 0 else -aside))
                text.SetTextAngleDegrees(0 if across else 90)

    def _hole(self, number: int, hole: mm.Point) -> None:
        footprint = self._footprint("MountingHole:MountingHole_3.2mm_M3", f"H{number}", Spot(hole.x, hole.y))
        footprint.SetAttributes(
            footprint.GetAttributes() | pcbnew.FP_EXCLUDE_FROM_BOM | pcbnew.FP_EXCLUDE_FROM_POS_FILES
        )
        footprint.Reference().SetVisible(False)
        footprint.Value().SetVisible(False)

    def task(self) -> Task:
        footprints = self.board.GetFootprints()
        every = [pad for footprint in footprints for pad in footprint.Pads()]
        pads = [_pad(pad) for pad in every if pad.GetAttribute() == pcbnew.PAD_ATTRIB_PTH]
        holes = [Disc(hole.x, hole.y, mm.SCREW_HOLE / 2 + 0.4) for hole in self.layout.holes]
        outline = self.layout.outline
        board = Box(outline.x, outline.y, outline.right, outline.bottom)
        return Task(board, pads, holes, list(self.layout.copper_free), self.layout.wide)

    def _wires(self) -> list[str]:
        router = Router(self.task())
        left = router.route()
        tracks, vias = router.copper()
        vias += router.stitches("GND", STITCH)
        for track in tracks:
            drawn = pcbnew.PCB_TRACK(self.board)
            drawn.SetStart(point(*track.start))
            drawn.SetEnd(point(*track.end))
            drawn.SetWidth(pcbnew.FromMM(track.width))
            drawn.SetLayer(LAYERS[track.layer])
            drawn.SetNet(self.nets[track.net])
            self.board.Add(drawn)
        for via in vias:
            drawn = pcbnew.PCB_VIA(self.board)
            drawn.SetPosition(point(via.x, via.y))
            drawn.SetDrill(pcbnew.FromMM(0.4))
            drawn.SetFrontWidth(pcbnew.FromMM(VIA))
            drawn.SetNet(self.nets[via.net])
            self.board.Add(drawn)
        return left

    def _word(self, text: str, x: float, y: float, height: float) -> None:
        word = pcbnew.PCB_TEXT(self.board)
        word.SetText(text)
        word.SetPosition(point(x, y))
        word.SetLayer(pcbnew.F_SilkS)
        word.SetTextSize(pcbnew.VECTOR2I_MM(height, height))
        word.SetTextThickness(pcbnew.FromMM(max(STROKE, height * 0.15)))
        self.board.Add(word)

    def _planes(self) -> None:
        """Ground on both sides, wherever nothing else is and copper may be."""
        outline = self.layout.outline
        for layer in LAYERS:
            zone = pcbnew.ZONE(self.board)
            zone.SetLayer(layer)
            zone.SetNet(self.nets["GND"])
            zone.SetMinThickness(pcbnew.FromMM(0.25))
            zone.SetLocalClearance(pcbnew.FromMM(0.3))
            zone.SetThermalReliefGap(pcbnew.FromMM(0.4))
            zone.SetThermalReliefSpokeWidth(pcbnew.FromMM(0.5))
            zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)
            corners = pcbnew.VECTOR_VECTOR2I()
            for x, y in _ring(outline, self.layout.copper_free):
                corners.append(point(x, y))
            zone.AddPolygon(corners)
            self.board.Add(zone)


def _fill(path: Path) -> None:
    """Pour the planes. Only a board that was loaded knows its rules, such as the distance from holes."""
    board = pcbnew.LoadBoard(str(path))
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.SaveBoard(str(path), board)


def assembly(board: Path, layout: Layout, target: Path) -> None:
    """The parts alone, on a sheet hardly larger than the board: printed to fit a page, every word can be read."""
    drawn = pcbnew.LoadBoard(str(board))
    corner = pcbnew.VECTOR2I_MM(MARGIN, MARGIN) - point(layout.outline.x, layout.outline.y)
    for item in (*drawn.GetFootprints(), *drawn.GetDrawings()):
        item.Move(corner)
    pcbnew.SaveBoard(str(target), drawn)
    width, height = layout.outline.width + 2 * MARGIN, layout.outline.height + 2 * MARGIN
    sheet = target.read_text(encoding="utf-8").replace('(paper "A4")', f'(paper "User" {width:g} {height:g})')
    target.write_text(sheet, encoding="utf-8")


def _pad(pad: Any) -> Pad:
    at, size = pad.GetPosition(), pad.GetSize()
    x, y = pcbnew.ToMM(at.x) - OFFSET, pcbnew.ToMM(at.y) - OFFSET
    width, height = pcbnew.ToMM(size.x) / 2, pcbnew.ToMM(size.y) / 2
    if round(pad.GetOrientation().AsDegrees()) % 180 == 90:
        width, height = height, width
    sharp = pad.GetShape() in (pcbnew.PAD_SHAPE_RECT, pcbnew.PAD_SHAPE_ROUNDRECT)
    return Pad(pad.GetNetname(), x, y, width, height, 0 if sharp else min(width, height))


def _ring(outline: mm.Rectangle, free: tuple[Box, ...]) -> list[tuple[float, float]]:
    """The outline, a little smaller, without the corner (upper left) in which there may be no copper."""
    left, top, right, bottom = outline.x + 0.5, outline.y + 0.5, outline.right - 0.5, outline.bottom - 0.5
    if not free:
        return [(left, top), (right, top), (right, bottom), (left, bottom)]
    (box,) = free
    inner = (box.right + 0.2, box.bottom + 0.2)
    return [(inner[0], top), (right, top), (right, bottom), (left, bottom), (left, inner[1]), inner]
