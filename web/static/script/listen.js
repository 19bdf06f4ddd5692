// Records in the sound thread: the samples of the microphone, passed on as they come.

class Listen extends AudioWorkletProcessor {
  process(/** @type {any} */ [channels]) {
    if (channels[0]) this.port.postMessage(channels[0].slice());
    return true;
  }
}

registerProcessor("listen", Listen);
