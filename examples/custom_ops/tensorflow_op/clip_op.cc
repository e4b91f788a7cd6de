#include "tensorflow/core/framework/op.h"

REGISTER_OP("ClipToUnit")
    .Input("x: T")
    .Output("y: T")
    .Attr("T: {float, double}")
    .SetShapeFn(UnchangedShape);
