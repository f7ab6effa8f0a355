import { count, data, instant, other, rate, ratio } from './figure';
import type { FigureTable } from './figure';

const hop = { each: ['hop'] };
const link = { each: ['link'] };

/** Figures of single packets: telemetry that switches wrote, and what the algorithm made of it. */
export const PACKET_FIGURES: FigureTable = {
  'packet.sentUs': instant('departure from a host', 'When its first bit left.', { short: 'sent' }),
  'packet.receivedUs': instant('arrival at a host', 'When its last bit arrived.', {
    short: 'received',
    absent: 'it was lost, or still on its way',
  }),
  'packet.hops.*.arrivedUs': instant('arrival at a switch', 'When its last bit arrived.', {
    ...hop,
    short: 'arrived',
  }),
  'packet.hops.*.leftUs': instant('departure from a switch', 'When its first bit left.', {
    ...hop,
    short: 'left',
    absent: 'it was dropped',
  }),
  'packet.hops.*.waitedNs': other('ns', 'time in a switch', 'From its arrival to its departure.', {
    ...hop,
    short: 'waited',
    better: 'less',
    absent: 'it was dropped',
  }),
  'packet.hops.*.timestampNs': count('ns', 'clock in telemetry', 'The clock of the switch.', {
    ...hop,
    short: 'clock',
    symbol: 'ts',
  }),
  'packet.hops.*.queueBytes': data('queue in telemetry', 'Bytes that waited as the packet left.', {
    ...hop,
    short: 'queue length',
    symbol: 'qLen',
    better: 'less',
  }),
  'packet.hops.*.txBytes': data('bytes sent in telemetry', 'Bytes that the link had sent.', {
    ...hop,
    short: 'bytes sent',
    symbol: 'txBytes',
  }),
  'packet.hops.*.capacityGbps': rate('capacity in telemetry', 'What the link can carry.', {
    ...hop,
    short: 'capacity',
    symbol: 'B',
  }),
  'packet.links.*.intervalNs': other(
    'ns',
    'interval of two records',
    'Between clocks of a switch.',
    {
      ...link,
      short: 'interval',
    },
  ),
  'packet.links.*.rateGbps': rate('rate of a link in U', 'Bytes sent over the interval.', {
    ...link,
    short: 'txRate',
    symbol: 'txRate',
  }),
  'packet.links.*.queueBytes': data('queue of a link in U', 'The smaller one of both records.', {
    ...link,
    short: 'queue length',
    symbol: 'qLen',
    better: 'less',
  }),
  'packet.links.*.u': ratio('u of a link', 'Bytes in flight over the bandwidth-delay product.', {
    ...link,
    short: 'u',
    symbol: 'u',
    digits: 4,
  }),
  'packet.state.U': ratio('U of the flow', 'Smoothed u of the fullest link.', {
    symbol: 'U',
    digits: 6,
  }),
  'packet.state.windowBytes': data('window of the flow', 'Payload that may be on its way.', {
    symbol: 'W',
    digits: 6,
  }),
  'packet.state.referenceWindowBytes': data(
    'reference window',
    'Window from which those of one round trip are computed.',
    { symbol: 'Wc', digits: 6 },
  ),
  'packet.state.rateGbps': rate('pacing rate of the flow', 'Rate at which its packets leave.', {
    symbol: 'R',
    digits: 5,
  }),
  'packet.state.incStage': count('stages', 'incStage', 'Rounds of additive increase so far.', {
    symbol: 'incStage',
  }),
  'packet.state.inflightBytes': data('bytes in flight', 'Payload that is not acknowledged.', {
    absent: 'the receiver runs the algorithm',
  }),
};
