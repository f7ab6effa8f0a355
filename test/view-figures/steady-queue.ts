import * as fs from 'node:fs';
import * as path from 'node:path';

/** Segments on their way: some 50 ms of the bottleneck's time. */
const WINDOW = 30;

/**
 * A flow with a window that never changes, whose packets wait at the bottleneck but for those that are
 * somewhere else. What delays hosts and switches is missing from that queue, which by itself varies by less
 * than a percent: HPCC++ keeps less than a packet there, of which no run is like another.
 */
const EXPERIMENT = `
experiment: steady-queue
title: A window that never changes
topology: chain
parameters:
  seconds: {default: 13, min: 5, about: how long the flow sends}
  rate: {default: 5, min: 1, about: bottleneck in Mb/s}
  hostRate: {default: 10, min: 1, about: links of the hosts in Mb/s}
  rttUs: {default: 8000, min: 100, about: T in us}
  queuePackets: {default: 256, min: 1, about: packets that a queue holds}
bottleneck: "s1:3"
frameBytes: 1106
warmUp: 3
algorithm: {baseRttUs: $rttUs, expectedFlows: 20}
flows:
  - {name: f1, kind: hpcc, from: h1, to: h2, seconds: $seconds}
bars:
  - {figure: drops, atMost: 0}
`;

const ALGORITHM = `
export const signals = { telemetry: 'hops' };
export const create = ({ linkRate, segmentBytes }) => ({
  windowBytes: ${WINDOW} * segmentBytes,
  pacingRate: linkRate,
  onAck() {},
});
`;

/** Writes the experiment and its algorithm to a folder. Returns the file of the experiment. */
export function writeSteadyQueue(folder: string): string {
  const algorithm = path.join(folder, 'fixed-window.mjs');
  fs.writeFileSync(algorithm, ALGORITHM);
  const experiment = path.join(folder, 'steady-queue.yaml');
  fs.writeFileSync(experiment, `${EXPERIMENT}options: [--algorithm, ${algorithm}]\n`);
  return experiment;
}
