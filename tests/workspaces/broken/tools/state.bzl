STATE = []

def remember(name):
    STATE.append(name)
