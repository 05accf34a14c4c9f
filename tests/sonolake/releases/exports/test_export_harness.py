"""Tasks of lmms-eval, read as it reads them: ``!function`` by file, rows by ``datasets``' JSON, answers to metrics."""

import importlib.util
import inspect
import json
from pathlib import Path

import numpy as np
import pytest
import yaml

from sonolake.cares.benchmark.questions import question
from sonolake.spatial.benchmark.files import read_records
from sonolake.spatial.benchmark.prompt import stage_2


class Loader(yaml.FullLoader):
    """YAML with ``!function FILE.NAME``, the file beside the YAML."""


def function(loader, node):
    file, _, name = loader.construct_scalar(node).rpartition(".")
    path = Path(loader.name).parent / f"{file}.py"
    spec = importlib.util.spec_from_file_location(file, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


Loader.add_constructor("!function", function)


_NAMES = (
    "task task_alias tag group group_alias dataset_path dataset_name dataset_kwargs training_split "
    "validation_split test_split fewshot_split full_docs process_results_use_image process_docs doc_to_visual "
    "doc_to_text doc_to_target doc_to_choice doc_to_messages process_results use_prompt description "
    "target_delimiter fewshot_delimiter fewshot_config num_fewshot metric_list output_type generation_kwargs "
    "repeats filter_list should_decontaminate doc_to_decontamination_query cluster_key score_key metadata "
    "lmms_eval_specific_kwargs model_specific_generation_kwargs model_specific_target_kwargs reasoning_tags "
    "auto_strip_thinking"
)
FIELDS = set(_NAMES.split())
"""What the harness takes in the YAML of a task and nothing else (lmms-eval 0.7.2, ``TaskConfig``)."""
GROUP_FIELDS = {"group", "group_alias", "task", "aggregate_metric_list", "metadata"}
"""Of a group (``GroupConfig``)."""


class Task:
    """A task of the harness as far as it matters here."""

    def __init__(self, path):
        with path.open(encoding="utf-8") as file:
            self.config = yaml.load(file, Loader)
        files = self.config["dataset_kwargs"]["data_files"]
        assert self.config["dataset_path"] == "json" and list(files) == [self.config["test_split"]]
        text = (path.parent / files["test"]).read_text(encoding="utf-8")
        self.docs = [json.loads(line) for line in text.splitlines()]
        self.own = self.config["lmms_eval_specific_kwargs"]["default"]

    def ask(self, model):
        """From a function of prompt and sounds that answers to the metrics."""
        found = {}
        for doc in self.docs:
            text, hear = self.config["doc_to_text"], self.config["doc_to_visual"]
            answers = [model(text(doc, lmms_eval_specific_kwargs=self.own), hear(doc, self.own))]
            if self.config["output_type"] == "generate_until_multi_round":
                while True:
                    sounds, prompt, end, answers, _ = text(
                        doc,
                        lmms_eval_specific_kwargs=self.own,
                        previous_output=answers,
                        round_idx=len(answers),
                    )
                    if end:
                        break
                    answers = [*answers, model(prompt, sounds)]
                answers = [answers]
            for name, value in self.config["process_results"](doc, answers).items():
                found.setdefault(name, []).append(value)
        assert set(found) == {metric["metric"] for metric in self.config["metric_list"]}
        return {m["metric"]: m["aggregation"](found[m["metric"]]) for m in self.config["metric_list"]}


@pytest.fixture(scope="module")
def tasks(table, tmp_path_factory):
    from sonolake.releases.exports import export, format_of

    folder = tmp_path_factory.mktemp("harness") / "tasks"
    export(table, format_of("lmms-eval"), folder)
    found = {path.stem: path for path in folder.rglob("*.yaml")}
    return {name: Task(path) for name, path in found.items() if 'task: "' in path.read_text()} | {
        "folder": folder
    }


def test_every_benchmark_has_its_tasks(tasks):
    names = {
        "cares_reactions",
        "cares_scene",
        "cares_sounds",
        "cares_summary_25",
        "cares_summary_75",
        "cares_summary_200",
    }
    names |= {"rms_aqa_stage_1", "rms_aqa_stage_2", "rms_aqa_stage_2_oracle", "rms_aqa_grounded", "wesr"}
    assert set(tasks) == names | {"folder"}
    groups = {path.stem for path in tasks["folder"].rglob("*.yaml")} - names
    assert groups == {"cares", "rms_aqa"}
    for name in groups:
        group = yaml.safe_load((tasks["folder"] / name / f"{name}.yaml").read_text())
        assert group["group"] == name and set(group["task"]) == {n for n in names if n.startswith(name)}
        assert set(group) <= GROUP_FIELDS
    assert tasks["wesr"].config["metadata"]["version"] == "demo@1.2.0"


def test_the_harness_knows_every_field_and_calls_every_function_as_they_are(tasks):
    for name, task in tasks.items():
        if name == "folder":
            continue
        config = task.config
        assert set(config) <= FIELDS
        assert config["output_type"] in ("generate_until", "generate_until_multi_round")
        assert config["generation_kwargs"]["until"] == [], (
            "left out, the harness cuts answers at an empty line"
        )
        # The settings of the task are handed to a function of exactly two parameters, and by name to the prompt's.
        assert len(inspect.signature(config["doc_to_visual"]).parameters) == 2
        inspect.signature(config["doc_to_text"]).bind({}, lmms_eval_specific_kwargs={})
        inspect.signature(config["process_results"]).bind({}, [])
        assert config["doc_to_target"] in task.docs[0]
        for metric in config["metric_list"]:
            assert set(metric) == {"metric", "aggregation", "higher_is_better"} and callable(
                metric["aggregation"]
            )


def test_prompts_are_fixed_and_ours(tasks, asked_items, rich):
    (doc,) = tasks["cares_reactions"].docs
    assert doc["prompt"] == question(next(item for item in asked_items if item.task == "reactions"))
    (doc,) = tasks["cares_summary_75"].docs
    assert "at most 75 words" in doc["prompt"]
    record = read_records(rich)[0]
    docs = {doc["question_id"]: doc for doc in tasks["rms_aqa_stage_2_oracle"].docs}
    texts = [message.text for message in stage_2(record, b"", "oracle")]
    assert docs[record.stage_2.question_id]["prompt"] == "\n\n".join(texts)


def test_sounds_are_handed_over_without_a_downmix(tasks, samples):
    heard = tasks["rms_aqa_stage_1"].config["doc_to_visual"]
    doc = tasks["rms_aqa_stage_1"].docs[0]
    whole = samples(Path(doc["audio"]).stem, 4)
    (first,) = heard(doc, {"channels": "first"})
    assert first["sampling_rate"] == 8000 and np.array_equal(first["array"], whole[:, 0] / np.float32(32768))
    (every,) = heard(doc, {"channels": "all"})
    assert np.array_equal(every["array"], whole / np.float32(32768))


def test_right_and_wrong_answers_get_what_they_deserve(tasks):
    assert tasks["cares_reactions"].ask(lambda *_: '{"reaction": "pivot"}') == {
        "balanced_accuracy": 1.0,
        "accuracy": 1.0,
        "macro_f1": 1.0,
    }
    assert tasks["cares_scene"].ask(lambda *_: "At the beach, I think.") == {"accuracy": 0.0}
    assert tasks["cares_summary_25"].ask(lambda *_: "A dog barks somewhere.") == {"recall": 1.0}
    assert tasks["cares_summary_25"].ask(lambda *_: "Two people talk.") == {"recall": 0.0}
    assert tasks["rms_aqa_stage_1"].ask(lambda *_: "Final answer: (A)") == {"accuracy": 1.0}
    assert tasks["rms_aqa_stage_2"].ask(lambda *_: "I cannot tell.") == {"accuracy": 0.0}
    said = tasks["wesr"].ask(lambda *_: "Well [laughs] yes.")
    assert (said["macro_f1"], said["wer"], said["macro_f1_of_21"]) == (1.0, 0.0, pytest.approx(1 / 21))
    assert tasks["wesr"].ask(lambda *_: "Well yes.")["macro_f1"] == 0.0


def test_grounded_needs_both_answers_and_hears_the_first_one(tasks):
    prompts = []

    def model(prompt, sounds):
        prompts.append(prompt)
        assert len(sounds) == 1
        return "Final answer: (A) fan" if "further question" in prompt else "Final answer: (B) dog"

    assert tasks["rms_aqa_grounded"].ask(model) == {"stage_1": 0.0, "stage_2": 1.0, "grounded": 0.0}
    assert "Final answer: (B) dog" in prompts[1] and prompts[1].startswith(prompts[0])
    both = tasks["rms_aqa_grounded"].ask(lambda *_: "(A)")
    assert both == {"stage_1": 1.0, "stage_2": 1.0, "grounded": 1.0}
