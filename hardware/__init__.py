"""The hardware as source: circuits, boards, boxes, harness and paper, and what is made of them."""
