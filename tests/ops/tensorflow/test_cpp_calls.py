"""Which literals of C++ tests name the op of a node."""

import pytest

from bzlgraph.ops.tensorflow.cpp_calls import called_ops

GRAPH = '#include "tensorflow/core/graph/graph.h"\n'


@pytest.mark.parametrize(
    "text",
    [
        'Node n("x", "Blur");',
        'NodeDefBuilder("Blur", "Blur").Finalize(&def);',
        'node->set_op("Blur");',
        "auto b = ops::Blur(s, x);",
        "auto b = ops::Blur (s, x);",
        'fdef = FDH::Define({{{"y"}, "Blur", {"x"}}});',
        'for (const string& op : {"Blur", "Sharpen"}) Run(op);',
        'test::graph::Unary(g, "Blur", x);',
        'constexpr char kBlurOp[] = "Blur";',
        'Make(/*op_name=*/"Blur");',
        'std::string op_name("Blur");',
        'TestShapes<float>(\n    "Blur", /*shape=*/{20});',
        'Check("a.b(c", "Blur");',
        'TFE_Op* op = TFE_NewOp(ctx, "Blur", status);',
        'string name() { return "Blur"; }',
        'const char kBlurOp[] = "Blur"; void T() { ASSERT_TRUE(n); AddNode("x", kBlurOp); }',
        'std::vector<string> ops = {"Blur"}; for (const auto& op : ops) { EXPECT_EQ(op, x); Make(op); }',
    ],
)
def test_a_node_is_made(text: str) -> None:
    assert [call[:2] for call in called_ops(GRAPH + text, ["Blur"])] in ([("Blur", 2)], [("Blur", 3)])


@pytest.mark.parametrize(
    "text",
    [
        'bool a = name == "Blur" && (GetName("Blur") != x);',
        'const char kName[] = "Blur";',
        'Collective c(/*collective_name=*/"Blur");',
        'auto text = R"(op="Blur")";',
        '// Runs a "Blur".',
        'EXPECT_EQ("Blur", node.op());',
        'EXPECT_EQ(string("Blur"), string(node.op()));',
        'ASSERT_TRUE(ContainsNodeWithOp("Blur", graph));',
        'RestoreIterator(&ctx, &reader, "Blur", *dataset);',
        'dataset->MakeIterator(ctx.get(), "Blur", &iterator);',
        'EXPECT_OK(Check(IteratorPrefix("Blur", node)));',
        'DebugNodeKey debug_node_key_1(device, "x", 0, "Blur");',
        'auto x = Const(s.WithOpName("Blur"), 1);',
        'builder.Attr("fused_ops", {"Relu", "Blur"});',
        'ops_by_name["Blur"] = 1;',
        'REGISTER_OP("Blur").Output("y: float");',
        'NodeBuilder("Blur", "Sharpen");',
        'node->set_name("Blur");',
        'return errors::InvalidArgument("Blur");',
        'op_context.op_info.set_op("Blur");',
        'context.mutable_op_info()->set_op("Blur");',
        'execution.set_op_type("Blur");',
        'const char kBlurOp[] = "Blur"; void T() { EXPECT_EQ(node.op(), kBlurOp); }',
        'std::vector<string> ops = {"Blur"}; for (const auto& op : ops) { info.op_info.set_op(op); }',
        'auto context = DescribeOp("Blur", 3);',
    ],
)
def test_no_node_is_made(text: str) -> None:
    assert called_ops(GRAPH + text, ["Blur"]) == []


def test_a_class_makes_the_op_whose_api_def_names_it() -> None:
    text = f"{GRAPH}ops::Smear(s, x); ops::Blur(s, x);"
    assert called_ops(text, ["Blur2D"], {"Smear": "Blur2D"}) == [("Blur2D", 2, "ops::Smear(")]
    assert called_ops(text, ["Blur"], {}) == []


@pytest.mark.parametrize("header", ["lite/kernels/test_util.h", "compiler/xla/client/xla_builder.h", "core/lib/x.h"])
def test_a_file_about_other_ops_makes_none(header: str) -> None:
    assert called_ops(f'#include "tensorflow/{header}"\nCall("Blur");', ["Blur"]) == []
