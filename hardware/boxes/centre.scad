// The lower half of the centre's box, for kit one: the reader's module is on four ledges, its header and the plugs on it
// below; a strip of perfboard with buttons and lamp is on four posts, the buzzer under it in a tray. The upper half is the
// pad's.

include <shell.scad>

// A corner for the module: a ledge under it, and two low walls beside it. `x`, `y`: which corner, 0 or 1.
module ledge(x, y) {
    side = 7;
    edge = 1.6;
    low = centre_bottom;
    translate([reader[0] + x * reader[2], reader[1] + y * reader[3], 0]) mirror([x, 0, 0]) mirror([0, y, 0]) {
        translate([-edge - clearance, -edge - clearance, low])
            difference() {
                cube([side, side, reader_bottom + 1.2 - low]);
                translate([edge, edge, reader_bottom - low]) cube([side, side, 5]);
                translate([edge + 2.4 + clearance, edge + 2.4 + clearance, -1]) cube([side, side, 40]);
            }
    }
}

// Low walls around the buzzer's module, open at the corners.
module tray() {
    high = 3;
    around = grown(buzzer_tray, clearance);
    translate([0, 0, centre_bottom]) difference() {
        ring(grown(around, 1.4), 1, 1.4, 0, floor_thickness + high);
        for (x = [0, 1], y = [0, 1])
            translate([around[0] + x * around[2] - 4, around[1] + y * around[3] - 4, floor_thickness]) cube([8, 8, 10]);
    }
}

module sound_holes() {
    for (hole = buzzer_holes)
        translate([hole[0], label[1] + label[3] + 1, hole[1]]) rotate([90, 0, 0]) cylinder(d = 3, h = wall + 2);
}

printed_base(centre_bottom) difference() {
    base(label, pad_holes, board_gap - 0.2, pad_split, [centre_opening], centre_bottom, centre_post) {
        for (x = [0, 1], y = [0, 1]) ledge(x, y);
        tray();
        at(strip_posts) translate([0, 0, centre_bottom]) difference() {
            cylinder(d = post, h = -board_thickness - centre_bottom);
            translate([0, 0, floor_thickness]) cylinder(d = pilot, h = 40);
        }
    }
    sound_holes();
}
