// The box of a pad. `part`: "base" or "lid"; the lid is the centre's as well, since both have the same label.

include <shell.scad>

part = "lid";

module pad_lid() {
    lid(label, pad_holes, pad_split, pad_top, pad_openings) {
        at([button_green, button_red]) translate([0, 0, pad_top - 10]) cylinder(d = button_hole, h = 20);
        at([lamp]) translate([0, 0, pad_top - 10]) cylinder(d = lamp_hole, h = 20);
        // Room for the tall parts of the module, beside its antenna.
        translate([tall_parts[0], tall_parts[1], pad_top - lid_thickness - bit])
            cube([tall_parts[2], tall_parts[3], pad_pocket + bit]);
        // The frame of the label, as a groove: where the piece is laid, though the label be gone.
        translate([0, 0, pad_top - groove]) difference() {
            plate(grown(label_frame, groove), 1, 0, 1);
            plate(grown(label_frame, -groove), 1, -1, 2);
        }
    }
}

if (part == "base") printed_base() base(label, pad_holes, -board_thickness, pad_split, pad_openings);
else printed_lid(pad_top) pad_lid();
