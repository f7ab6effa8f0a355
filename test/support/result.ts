import type { Result } from '../../emulator/record/result';

/** A small sound result, for tests of what reads results. */
export const RESULT: Result = {
  schema: 'hpcc-result/1',
  generator: {
    version: '0.1.0',
    commit: 'unknown',
    p4Program: 'hpcc.p4',
    p4Digest: '00',
    executor: 'interpreter',
    queueModel: 'bits/s serialiser',
  },
  scenario: { name: 'tiny', title: 'A <tiny> run' },
  seed: 1,
  parameters: { eta: 0.95, waiBytes: null },
  topology: {
    nodes: [
      { name: 's1', kind: 'switch' },
      { name: 'h1', kind: 'host' },
      { name: 'h2', kind: 'host' },
    ],
    links: [
      { a: 's1', b: 'h1', rateGbps: 100, delayUs: 1 },
      { a: 's1', b: 'h2', rateGbps: 100, delayUs: 1 },
    ],
  },
  frames: {
    dataAtHostBytes: 1074,
    dataAtBottleneckBytes: 1106,
    ackBytes: 106,
    segmentBytes: 1000,
  },
  durationUs: 4.2,
  flows: [
    {
      id: 1,
      source: 'h2',
      destination: 'h1',
      bytes: 1000,
      startUs: 0,
      fctUs: 4.2,
      idealFctUs: 4.2,
      slowdown: 1,
      deliveredBytes: 1000,
      retransmittedSegments: 0,
    },
    {
      id: 2,
      source: 'h2',
      destination: 'h1',
      bytes: 1000,
      startUs: 1,
      fctUs: null,
      idealFctUs: 4.2,
      slowdown: null,
      deliveredBytes: 0,
      retransmittedSegments: 0,
    },
  ],
  fctUs: { min: 4.2, median: 4.2, max: 4.2 },
  bottleneck: {
    link: 's1:1->h1:0',
    queuePeakBytes: 1106,
    queuePeakAtUs: 1.1,
    drainedAtUs: 1.1,
    utilization: 0.5,
  },
  queueTimeline: { link: 's1:1->h1:0', startUs: 0, intervalUs: 0.1, bytes: [0, 1106, 0] },
  links: [
    {
      name: 's1:1->h1:0',
      rateGbps: 100,
      packets: 1,
      bytes: 1106,
      lostPackets: 0,
      queuePeakBytes: 1106,
    },
  ],
  series: [
    {
      flow: 1,
      timeUs: [0, 1],
      rateGbps: [100, 95],
      windowBytes: [52000, 49400],
      normalizedInflight: [1, 1],
      deliveredBytes: [0, 1000],
    },
  ],
  jain: null,
  jainTimeline: [{ startUs: 0, endUs: 50, jain: 0.99 }],
  counters: { packetHops: 4, events: 10, drops: {}, hostRejections: {} },
  violations: [],
};
