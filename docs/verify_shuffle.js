// Redo a shuffle of Cardref from its seed, as docs/fairness.md describes it. Plain Node, no packages.
//
//   node docs/verify_shuffle.js SEED LABEL CARD...
//
// prints the commitment of the seed, and the cards in their shuffled order (the last one is the top).

"use strict";
const crypto = require("node:crypto");

const TWO_TO_32 = 2 ** 32;

// Endless 32-bit words: block n is HMAC-SHA-256(seed, "label/n"), read as eight big-endian words.
function* words(seed, label) {
  for (let block = 0; ; block += 1) {
    const digest = crypto.createHmac("sha256", seed).update(`${label}/${block}`, "ascii").digest();
    for (let at = 0; at < digest.length; at += 4) yield digest.readUInt32BE(at);
  }
}

// A number below m; words from the highest multiple of m on are passed over, so that none is likelier.
function below(m, source) {
  const limit = TWO_TO_32 - (TWO_TO_32 % m);
  for (;;) {
    const word = source.next().value;
    if (word < limit) return word % m;
  }
}

function shuffle(seed, label, cards) {
  const order = [...cards];
  const source = words(seed, label);
  for (let i = order.length - 1; i >= 1; i -= 1) {
    const j = below(i + 1, source);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

function main([seedText, label, ...cards]) {
  if (!/^[0-9a-f]{64}$/.test(seedText ?? "") || label === undefined) {
    console.error("usage: node verify_shuffle.js SEED LABEL CARD...   (SEED: 64 digits 0-9 a-f)");
    return 2;
  }
  const seed = Buffer.from(seedText, "hex");
  console.log(crypto.createHash("sha256").update(seed).digest("hex"));
  console.log(shuffle(seed, label, cards).join(" "));
  return 0;
}

process.exitCode = main(process.argv.slice(2));
