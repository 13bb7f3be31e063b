// A rest for the reader's module, which hangs on its socket otherwise: it is glued onto the pad's board, and the free end of
// the module goes into its slot. Printed on its side, so that nothing hangs.

include <shell.scad>

lip = 1.4;
slot = 1.6 + 0.3;
height = reader_bottom + slot + lip;

translate([0, 0, rest[3] / 2]) rotate([-90, 0, 0]) translate([-rest[2] / 2, -rest[3] / 2, 0]) difference() {
    cube([rest[2], rest[3], height]);
    translate([rest[2] - rest_slot, -1, reader_bottom - 0.1]) cube([10, rest[3] + 2, slot]);
}
