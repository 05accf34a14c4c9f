"""The plug-in: it keeps time, pools frequency, changes nothing at the start, and learns through all its parts."""

import dataclasses

import numpy as np
import pytest

from sonolake.errors import InvalidInput
from sonolake.spatial.benchmark import prompt
from sonolake.spatial.model import PluginShape


@pytest.fixture(scope="module")
def nets(torch):
    from sonolake.spatial.model import conformer, lora, plugin, resnet

    return {"resnet": resnet, "conformer": conformer, "plugin": plugin, "lora": lora}


def test_the_papers_encoder_gives_a_token_of_1024_numbers_a_frame(torch, nets):
    encoder = nets["plugin"].SpatialEncoder(PluginShape()).eval()
    with torch.inference_mode():
        assert encoder(torch.randn(1, 7, 25, 64)).shape == (1, 25, 1024)
    assert len(encoder.conformers) == 8
    convolutions = [m for m in encoder.resnet.modules() if isinstance(m, torch.nn.Conv2d)]
    assert len(convolutions) == 20, "17 and 3 shortcuts, as in ResNet-18"
    assert {m.stride[0] for m in convolutions} == {1}


def test_what_happens_late_does_not_move_and_does_not_reach_far(torch, nets):
    """A change in frame 60 of 80 reaches 19 frames to both sides: 3 of the stem, 1 of its pool, 2 a block."""
    net = nets["resnet"].TimeResNet((4, 4, 8, 8), 2).eval()
    x = torch.randn(1, 7, 80, 64)
    changed = x.clone()
    changed[:, :, 60] += 1.0
    with torch.inference_mode():
        moved = (net(x) - net(changed)).abs().amax(dim=2)[0]
    where = np.flatnonzero(moved.numpy() > 0)
    assert net(x).shape == (1, 80, 8)
    assert 60 in where
    assert where.min() >= 60 - 20 and where.max() <= 60 + 20


def test_attention_of_a_conformer_knows_order(torch, nets):
    torch.manual_seed(0)
    block = nets["conformer"].Attention(16, 2, 0.0).eval()
    x = torch.randn(1, 12, 16)
    with torch.inference_mode():
        forwards, backwards = block(x), block(x.flip(1)).flip(1)
    assert (forwards - backwards).abs().max() > 1e-3


@pytest.mark.parametrize("count", [1, 7, 20, 50])
def test_fusion_changes_nothing_at_the_start_whatever_the_rates(torch, nets, count):
    fusion = nets["plugin"].Fusion(12, 16)
    semantic = torch.randn(count, 12)
    assert torch.equal(fusion(semantic, torch.randn(20, 16)), semantic)


def test_tokens_are_aligned_in_time(torch, nets):
    """Of 20 spatial tokens 10 semantic ones get the means of two each."""
    fusion = nets["plugin"].Fusion(1, 1)
    with torch.no_grad():
        fusion.project.weight.copy_(torch.tensor([[0.0, 1.0]]))
    fused = fusion(torch.zeros(10, 1), torch.arange(20.0)[:, None])
    assert fused[:, 0].tolist() == [0.5 + 2 * i for i in range(10)]


def test_adapters_change_nothing_at_the_start_and_have_the_asked_rank(torch, nets):
    decoder = torch.nn.ModuleDict({"q_proj": torch.nn.Linear(8, 6), "other": torch.nn.Linear(6, 3)})
    x = torch.randn(5, 8)
    before = decoder["q_proj"](x)
    shape = dataclasses.replace(PluginShape(), lora_rank=2, lora_alpha=4.0)
    assert nets["lora"].adapt(decoder, shape) == 1
    assert torch.equal(decoder["q_proj"](x), before)
    layer = decoder["q_proj"]
    torch.nn.init.ones_(layer.up.weight)
    by_hand = before + 2.0 * (x @ layer.down.weight.T).sum(dim=1, keepdim=True)
    assert torch.allclose(layer(x), by_hand, atol=1e-5)


def test_layers_that_there_are_not_are_said(torch, nets):
    with pytest.raises(InvalidInput, match="key"):
        nets["lora"].adapt(torch.nn.ModuleDict({"key": torch.nn.Linear(2, 2)}), PluginShape())


def test_at_the_start_the_backbone_answers_as_it_did(backbone, small, examples):
    from sonolake.spatial.model.system import SpatialModel

    some = examples(["a", "b", "c"])
    asked = [prompt.stage_1(one.record, b"") for one in some]
    before = backbone.generate(backbone.prompted(asked, [one.heard.mono for one in some]), None, 8)
    frozen = {name: tensor.clone() for name, tensor in backbone.network.state_dict().items()}
    model = SpatialModel(backbone, small)
    assert [said[""] for said in model.answers(some, 8)] == before
    now = backbone.network.state_dict()
    assert all((now[name.replace("_proj.", "_proj.base.") if name not in now else name] == tensor).all()
               for name, tensor in frozen.items())  # fmt: skip


def test_another_model_of_transformers_takes_the_plugin(tiny, torch, small, examples, tmp_path):
    from sonolake.spatial.model.system import SpatialModel
    from sonolake.spatial.model.transformers_backbone import TransformersBackbone

    pytest.importorskip("transformers")
    backbone = TransformersBackbone(str(tiny.save(tmp_path, tiny.texts(), width=32, kind="AudioFlamingo3")))
    some = examples(["a", "b"])
    asked = [prompt.stage_1(one.record, b"") for one in some]
    prompted = backbone.prompted(asked, [one.heard.mono for one in some])
    model = SpatialModel(backbone, small)
    before = backbone.generate(prompted, None, 4)
    assert [said[""] for said in model.answers(some, 4)] == before
    with torch.no_grad():
        model.plugin.fusion.project.bias += 1.0
    told = torch.tensor([backbone.target_ids(" bell")] * 2)
    plain, fused = (
        backbone.logits(prompted, told, fuse) for fuse in (None, model._fuse(model._spatial(some)))
    )
    assert (plain - fused).abs().max() > 1e-3, "what is fused reaches the answers"


def test_only_the_plugin_and_the_adapters_learn(torch, backbone, small, examples):
    from sonolake.spatial.model.system import SpatialModel

    model = SpatialModel(backbone, small)
    kept = {n: p.clone() for n, p in backbone.network.named_parameters() if not p.requires_grad}
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-2)
    losses, some = [], examples(["a", "b", "c", "d"])
    model.train(True)
    for _ in range(8):
        loss = model.loss(some)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] - 0.1
    assert all(torch.equal(p, kept[n]) for n, p in backbone.network.named_parameters() if n in kept)
    assert all(p.grad is not None and p.grad.abs().sum() > 0 for p in model.plugin.fusion.parameters())
    first = model.plugin.encoder.resnet.stem[1].weight
    assert first.grad.abs().sum() > 0, "the gradient comes through to the features"


def test_the_loss_is_the_mean_of_both_stages(torch, backbone, small, examples):
    """By hand, from probabilities of each answer's tokens, one clip and one token at a time."""
    from sonolake.spatial.model.system import SpatialModel

    (one,) = examples(["a"])
    model = SpatialModel(backbone, small, spatial=False)
    record, by_stage = one.record, []
    for query, asked in (
        (record.stage_1, prompt.stage_1(record, b"")), (record.stage_2, prompt.stage_2(record, b"", "oracle"))
    ):  # fmt: skip
        ids = backbone.target_ids(prompt.reference(query))
        prompted = backbone.prompted([asked], [one.heard.mono])
        costs = []
        for count in range(len(ids)):
            said = torch.tensor([ids[: count + 1]])
            shares = backbone.logits(prompted, said, None)[0, -1].softmax(-1)
            costs.append(-shares[ids[count]].log().item())
        by_stage.append(np.mean(costs))
    assert model.loss([one]).item() == pytest.approx(np.mean(by_stage), rel=1e-4)


def test_clips_of_other_lengths_are_answered_as_alone(backbone, small, examples, unlike):
    from sonolake.spatial.model.examples import Example
    from sonolake.spatial.model.features import Features
    from sonolake.spatial.model.system import SpatialModel

    whole, other = examples(["a", "b"])
    short = Example(other.record, Features(other.heard.spatial[:, :20], other.heard.mono[:6400]))
    model = SpatialModel(backbone, dataclasses.replace(small, conformers=0))
    model.train(False)
    together, alone = model._spatial([whole, short]), model._spatial([short])
    assert together[1].shape == alone[0].shape == (20, 16)
    assert unlike(together[1][:5].detach(), alone[0][:5].detach()) < 1e-4
