// The lower half of the centre's box, for kit one: the reader's module lies on four ledges, and a strip of perfboard with
// buttons and lamp on four posts. The upper half is the pad's.

include <shell.scad>

// A corner for the module: a ledge under it, and two low walls beside it. `x`, `y`: which corner, 0 or 1.
module ledge(x, y) {
    side = 7;
    edge = 1.6;
    low = base_bottom;
    translate([reader[0] + x * reader[2], reader[1] + y * reader[3], 0]) mirror([x, 0, 0]) mirror([0, y, 0]) {
        translate([-edge - clearance, -edge - clearance, low])
            difference() {
                cube([side, side, reader_bottom + 1.2 - low]);
                translate([edge, edge, reader_bottom - low]) cube([side, side, 5]);
                translate([edge + 2.4 + clearance, edge + 2.4 + clearance, -1]) cube([side, side, 40]);
            }
    }
}

printed_base() base(label, pad_holes, board_gap - 0.2, pad_split, [centre_opening]) {
    for (x = [0, 1], y = [0, 1]) ledge(x, y);
    at(strip_posts) translate([0, 0, base_bottom]) difference() {
        cylinder(d = post, h = -board_thickness - base_bottom);
        translate([0, 0, floor_thickness]) cylinder(d = pilot, h = 20);
    }
}
