import torch
import _smooth


def smooth(x):
    return torch.ops.smooth.smooth(x, min(len(x), _smooth.widest()))
