// TensorFlow.js, its CPU backend: top-p as a user writes it with topk, cumsum and multinomial.
import * as tf from "@tensorflow/tfjs";

await tf.setBackend("cpu");

function sample(logits, { temperature, topK, topP, minP }) {
  return tf.tidy(() => {
    const probs = tf.softmax(tf.div(tf.tensor1d(logits), temperature));
    const { values, indices } = tf.topk(probs, topK ?? logits.length, true);
    const alive = topK === undefined ? values : tf.div(values, tf.sum(values));
    let stays = tf.less(tf.cumsum(alive, 0, true), topP);
    if (minP !== undefined)
      stays = tf.logicalAnd(stays, tf.greaterEqual(alive, tf.mul(tf.slice(alive, 0, 1), minP)));
    const keptLogits = tf.log(tf.where(stays, alive, tf.zerosLike(alive)));
    const rank = tf.multinomial(keptLogits, 1);
    return tf.gather(indices, rank).dataSync()[0];
  });
}

export const peers = [{ who: "TensorFlow.js, CPU", sample }];
