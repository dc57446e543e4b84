"""What runs inside of sandboxes: an answer in one process, and the tests of it in another."""
