// What is pressed: from the square stem of a push button, which goes into its socket, up through the lid. Two for each pad,
// in green and red.

include <shell.scad>

length = plunger_top - plunger_bottom;
socket = button_stem + 0.3;

difference() {
    union() {
        cylinder(d = button_hole - 0.6, h = length);
        // A collar, which keeps it in the box.
        cylinder(d = button_hole + 3, h = plunger_collar);
    }
    translate([-socket / 2, -socket / 2, -bit]) cube([socket, socket, plunger_socket + bit]);
}
