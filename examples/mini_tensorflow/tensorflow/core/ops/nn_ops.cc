// Mirrors tensorflow/core/ops/nn_ops.cc: what a convolution takes and gives.
#include "tensorflow/core/framework/op.h"

namespace tensorflow {

REGISTER_OP("Conv2D")
    .Input("input: T")
    .Input("filter: T")
    .Output("output: T")
    .Attr("T: {half, float, double}")
    .Attr("strides: list(int)")
    .Attr("padding: {'SAME', 'VALID'}")
    .SetShapeFn(shape_inference::Conv2DShape);

REGISTER_OP("Relu")
    .Input("features: T")
    .Output("activations: T")
    .Attr("T: {half, float, double}")
    .SetShapeFn([](shape_inference::InferenceContext* c) { return c->SetOutput(0, c->Input(0)); });

REGISTER_OP("ReluGrad")
    .Input("gradients: T")
    .Input("features: T")
    .Output("backprops: T")
    .Attr("T: {half, float, double}");

REGISTER_OP("Softmax")
    .Input("logits: T")
    .Output("softmax: T")
    .Attr("T: {half, float, double}");

}  // namespace tensorflow
