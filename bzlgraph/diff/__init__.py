"""What another configuration changes: targets, edges and values that one has and the other does not."""
