// The sound of a piece on wood, made on the spot. Off unless the reader wants it.

import { settings } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;

/** A short knock. */
export function moveSound() {
  if (!settings.sounds) return;
  context ??= new AudioContext();
  const length = 0.09;
  const buffer = context.createBuffer(1, Math.ceil(length * context.sampleRate), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < samples.length; n++) {
    const time = n / context.sampleRate;
    const knock = Math.sin(2 * Math.PI * 900 * time) + 0.6 * Math.sin(2 * Math.PI * 1730 * time);
    samples[n] = 0.35 * (knock + 0.5 * (Math.random() - 0.5)) * Math.exp(-70 * time);
  }
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(context.destination);
  source.start();
}
