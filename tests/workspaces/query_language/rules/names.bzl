NAMES = ["quick", "full"]
