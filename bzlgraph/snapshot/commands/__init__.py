"""What commands other than ``query`` answer from the kept graph: the same functions as the full way runs."""
