"""What is known on a walk from function to function: what calls give, what functions give back, what decides."""
