// Boxes of two halves, in the coordinates of hardware/dimensions.py: x to the right, y down, seen from above; z up from the
// upper face of the board. `printed_base` and `printed_lid` turn them as they lie on the printer's bed.
// An outline is [x, y, width, height]; an opening is [side, along, z, width, height].

include <parameters.scad>

$fn = 48;
bit = 0.01;

module plate(outline, radius, low, high) {
    translate([outline[0] + radius, outline[1] + radius, low])
        linear_extrude(high - low)
            offset(r = radius) square([outline[2] - 2 * radius, outline[3] - 2 * radius]);
}

function grown(outline, by) = [outline[0] - by, outline[1] - by, outline[2] + 2 * by, outline[3] + 2 * by];

module ring(outline, radius, thickness, low, high) {
    difference() {
        plate(outline, radius, low, high);
        plate(grown(outline, -thickness), max(0.5, radius - thickness), low - bit, high + bit);
    }
}

module at(points) {
    for (point = points) translate([point[0], point[1], 0]) children();
}

function lower(opening) = opening[2] - opening[4] / 2;
function upper(opening) = opening[2] + opening[4] / 2;

// What an opening takes away: from `low` up to `high`, through the wall and so far inwards.
module opened(outline, opening, low, high, inwards) {
    w = opening[3];
    along = opening[1];
    deep = inwards + 2 * wall;
    translate([0, 0, low])
        if (opening[0] == "left") translate([outline[0] - wall, along - w / 2, 0]) cube([deep, w, high - low]);
        else if (opening[0] == "right")
            translate([outline[0] + outline[2] + wall - deep, along - w / 2, 0]) cube([deep, w, high - low]);
        else if (opening[0] == "top") translate([along - w / 2, outline[1] - wall, 0]) cube([w, deep, high - low]);
        else translate([along - w / 2, outline[1] + outline[3] + wall - deep, 0]) cube([w, deep, high - low]);
}

// --- Halves -------------------------------------------------------------------------------------------------------

// The lower half: a floor, walls up to `split`, and a post under each hole of the board. Its openings are notches, so that
// a board with plugs beyond its edge goes in from above. `bottom`: a deeper box; its screws stay as long as they are, and
// their heads go up into the posts.
module base(outline, holes, post_top, split, openings, bottom = base_bottom, thick = post) {
    difference() {
        union() {
            ring(outline, corner, wall, bottom, split);
            plate(outline, corner, bottom, bottom + floor_thickness);
            at(holes) translate([0, 0, bottom]) cylinder(d = thick, h = post_top - bottom);
            children();
        }
        at(holes) {
            translate([0, 0, bottom - 1]) cylinder(d = screw_hole, h = 60);
            translate([0, 0, bottom - 1]) cylinder(d = screw_head + 0.6, h = 1 + base_bottom - bottom + floor_thickness - 0.2);
        }
        for (opening = openings) opened(outline, opening, lower(opening), split + 1, wall);
    }
}

// The upper half: a plate, a skirt down to `split`, a lip that goes into the lower half, and a pillar with an insert for each screw.
module lid(outline, holes, split, top, openings) {
    inner = grown(outline, -wall - clearance);
    difference() {
        union() {
            plate(outline, corner, top - lid_thickness, top);
            ring(outline, corner, wall + clearance + lip, split, top - bit);
            ring(inner, corner - wall, lip, split - lip_depth, split + 1);
            at(holes) translate([0, 0, board_gap]) cylinder(d = pillar, h = top - lid_thickness - board_gap + bit);
        }
        at(holes) translate([0, 0, board_gap - bit]) {
            cylinder(d = insert_hole, h = insert_depth);
            cylinder(d = screw_hole, h = pilot_depth);
        }
        for (opening = openings) opened(outline, opening, base_bottom, upper(opening), plug_depth);
        children();
    }
}

// --- As they are printed: the lower half on its floor, the upper half on its face -----------------------------------

module printed_base(bottom = base_bottom) {
    mirror([0, 1, 0]) translate([0, 0, -bottom]) children();
}

module printed_lid(top) {
    rotate([180, 0, 0]) mirror([0, 1, 0]) translate([0, 0, -top]) children();
}
