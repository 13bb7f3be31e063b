"""The pages that take a maker through each kit (hardware/build/) and to a board house (hardware/boards/README.md).

Words are written here; every figure comes from a source: parts from the bills, volts from what ngspice said, lengths from
boards, boxes and cables, stickers from the printed games, the doctor's words from the doctor, and times, which have not been
measured, from hardware/pages/estimates.py.
"""
