import torch
import transformers
from common import fixed, gradients, wave
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
    T5Config,
    T5ForConditionalGeneration,
    Trainer,
    TrainingArguments,
    ViTConfig,
    ViTModel,
)

NO_DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}


def tokenizer():
    words = {word: number for number, word in enumerate("[UNK] [PAD] the cat sat on a mat dog ran".split())}
    inner = Tokenizer(WordLevel(words, unk_token="[UNK]"))
    inner.pre_tokenizer = Whitespace()
    return PreTrainedTokenizerFast(tokenizer_object=inner, unk_token="[UNK]", pad_token="[PAD]")


class Sentences(torch.utils.data.Dataset):
    def __init__(self, encoded):
        self.encoded = encoded

    def __len__(self):
        return len(self.encoded["input_ids"])

    def __getitem__(self, i):
        return {**{key: value[i] for key, value in self.encoded.items()}, "labels": i % 2}


def trained(model, data, folder):
    arguments = TrainingArguments(
        output_dir=folder,
        num_train_epochs=3,
        per_device_train_batch_size=2,
        learning_rate=1e-2,
        logging_steps=1,
        report_to=[],
        save_strategy="no",
        use_cpu=True,
        disable_tqdm=True,
        train_sampling_strategy="sequential",
    )
    trainer = Trainer(model=model, args=arguments, train_dataset=data)
    trainer.train()
    return [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]


def run(folder):
    transformers.logging.set_verbosity_error()
    encoded = tokenizer()(
        ["the cat sat", "a dog ran on the mat", "the dog", "a cat on a mat"], padding=True, return_tensors="pt"
    )
    encoded = {key: value for key, value in encoded.items() if key != "token_type_ids"}
    small = {
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "vocab_size": 10,
    }
    bert = fixed(BertForSequenceClassification(BertConfig(**small, **NO_DROPOUT)))
    output = bert(**encoded, labels=torch.tensor([0, 1, 0, 1]))
    output.loss.backward()
    results = {"bert": output.logits, "bert loss": output.loss, "bert gradients": gradients(bert)}
    bert.zero_grad()
    results["trainer"] = trained(bert, Sentences(encoded), folder)

    gpt = fixed(GPT2LMHeadModel(GPT2Config(vocab_size=10, n_embd=16, n_layer=2, n_head=2, n_positions=32, resid_pdrop=0,
                                           embd_pdrop=0, attn_pdrop=0, bos_token_id=0, eos_token_id=1)))  # fmt: skip
    ids = encoded["input_ids"][1:2]
    output = gpt(ids, labels=ids)
    output.loss.backward()
    results |= {"gpt2": output.logits, "gpt2 loss": output.loss, "gpt2 gradients": gradients(gpt)}
    results["gpt2 text"] = gpt.eval().generate(ids, max_new_tokens=8, do_sample=False, pad_token_id=1).tolist()

    llama = fixed(LlamaForCausalLM(LlamaConfig(**small, num_key_value_heads=1, max_position_embeddings=64))).eval()
    results["llama"] = llama(ids).logits
    results["llama text"] = llama.generate(ids, max_new_tokens=8, do_sample=False, num_beams=2, pad_token_id=1).tolist()

    t5 = fixed(T5ForConditionalGeneration(T5Config(vocab_size=10, d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2,
                                                   dropout_rate=0, decoder_start_token_id=1)))  # fmt: skip
    results["t5"] = t5(input_ids=ids, labels=ids).loss

    vit = fixed(ViTModel(ViTConfig(hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
                                   image_size=8, patch_size=4, **NO_DROPOUT)))  # fmt: skip
    results["vit"] = vit(wave(2, 3, 8, 8)).last_hidden_state

    bert.save_pretrained(folder)
    again = BertForSequenceClassification.from_pretrained(folder)
    results["saved"] = bool(all(torch.equal(a, b) for a, b in zip(bert.parameters(), again.parameters(), strict=True)))
    return results
