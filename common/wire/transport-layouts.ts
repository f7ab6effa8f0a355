import type { LayoutField } from './layout';
import { Layout } from './layout';

/**
 * The packets of the HPCC transport and of its feedback as data: who sends which, what its flags mean and
 * which records follow. Codecs (`hpcc-transport.ts`, `feedback-records.ts`, ...), `hpcc decode`, the Wireshark
 * dissector and docs/wire-formats.md follow from it.
 */

const number = (name: string, bits: number, text: string): LayoutField => ({
  name,
  bits,
  as: 'number',
  text,
});
const hex = (name: string, bits: number, text: string): LayoutField => ({
  name,
  bits,
  as: 'hex',
  text,
});
const fixedPoint = (name: string, bits: number, text: string): LayoutField => ({
  name,
  bits,
  as: 'q16',
  text,
});
const reserved = (bits: number): LayoutField => ({
  name: 'reserved',
  bits,
  as: 'reserved',
  text: 'zero when sent, ignored when received',
});

/** Header of every packet, behind UDP or behind the telemetry of the packet. */
export const TRANSPORT = new Layout('transport', 'HPCC transport', [
  number('version', 4, '3, or 4 with a token behind the header; 1 in responses of switches'),
  number('type', 4, 'see the table of types'),
  hex('flags', 8, 'see the table of flags'),
  number('generation', 16, 'how often the sender has used the flow id'),
  number('length', 16, 'bytes behind header and token, to the end of the datagram'),
  number('flowId', 24, 'chosen by the sender of the data'),
  number('sequence', 56, 'payload bytes from 0, or the number of a request; below 2^53'),
]);

/** Behind the header of version 4. */
export const TOKEN = new Layout('token', 'Token of the flow', [
  hex('token', 64, 'nonce of the sender or proof of a cookie; feedback repeats the first one'),
]);

/** Before the trailer of feedback, as long as the flow is not confirmed. */
export const COOKIE = new Layout('cookie', 'Cookie', [
  hex('cookie', 64, 'code of the receiver over the address of the sender'),
]);

/** At the end of a signed packet. */
export const AUTHENTICATION = new Layout('auth', 'Authentication', [
  number('authKeyId', 8, 'key that signed'),
  reserved(24),
  hex('authSequence', 64, 'signed packets of the flow, or of the switch, from 1'),
  hex('authCode', 128, 'HMAC-SHA-256-128 of a host, SipHash-2-4 and 64 zero bits of a switch'),
]);

/** Body of WINDOW. */
export const WINDOW_RECORD = new Layout('window', 'Window of the receiver', [
  number('epoch', 32, 'changes of the window so far'),
  number('flows', 16, "flows on the receiver's link; 0: not counted"),
  reserved(16),
  fixedPoint('windowBytes', 64, 'payload bytes; 0: no window'),
]);

/** In place of an echo where links are hidden. */
export const LOAD_RATIO = new Layout('load', 'Load of the bottleneck', [
  fixedPoint('loadRatio', 32, "u' of the draft: bytes in flight by bandwidth-delay product"),
  number('intervalNs', 32, 'time over which it was measured'),
]);

/** Body of SWITCH, before the block of the switch in the INT domain "HP". */
export const SWITCH_RESPONSE_HEAD = new Layout('switch_response', 'Response of a switch', [
  number('hopIndex', 8, 'position in the path, 0 next to the sender; 255: unknown'),
  number('sequenceKind', 8, '0 none, 1 HPCC transport, 2 TCP, 3 PSN of RoCEv2'),
  number('protocol', 8, 'IP protocol of the flow'),
  number('ttl', 8, 'TTL or hop limit with which the packet left the switch'),
  number('flowSourcePort', 16, ''),
  number('flowDestinationPort', 16, ''),
]);

/** Blocks of an ACK, behind its congestion record. */
export const SELECTIVE_ACK = new Layout('selective_ack', 'Selective acknowledgement', [
  number('sackVersion', 8, '1'),
  number('sackBlocks', 8, '1 to 3'),
  reserved(16),
  number('sackFrom1', 32, 'first byte of block 1, counted from the acknowledgement; at least 1'),
  number('sackBytes1', 32, 'its bytes, at least 1'),
  number('sackFrom2', 32, 'block 2, or zeros'),
  number('sackBytes2', 32, ''),
  number('sackFrom3', 32, 'block 3, or zeros'),
  number('sackBytes3', 32, ''),
]);

/** Before the header in datagrams to port 50005, and echoed alone. */
export const PATH_SHIM = new Layout('path_shim', 'Time or demand, and digest (PINT)', [
  number('shimVersion', 4, '1'),
  reserved(1),
  {
    name: 'hasDemand',
    bits: 1,
    as: 'flag',
    text: 'bytes of credit are there in place of the time',
  },
  { name: 'hasDigest', bits: 1, as: 'flag', text: 'switches write the digest' },
  { name: 'hasTime', bits: 1, as: 'flag', text: 'the time is there' },
  number('digest', 8, 'logarithm of the load of the bottleneck; 0: no switch has written'),
  number('sentAtNs', 48, "sender's clock modulo 2^48, or bytes of credit wanted so far; else 0"),
]);

/** Body of a telemetry request over RoCEv2 (opcode 0xC0). */
export const ROCE_REQUEST = new Layout('roce_request', 'Telemetry request over RoCEv2', [
  number('messageVersion', 4, '1'),
  number('epoch', 4, 'last bits of the epoch of the window in force, or 0'),
  number('hopsMax', 8, 'switches that may answer'),
  reserved(16),
  number('requestId', 32, ''),
  hex('transmitTimeNs', 64, "sender's clock; the receiver echoes it"),
]);

/** Body of a telemetry response over RoCEv2 (opcode 0xC1). */
export const ROCE_RESPONSE = new Layout('roce_response', 'Telemetry response over RoCEv2', [
  number('messageVersion', 4, '1'),
  reserved(4),
  number('hopCount', 8, ''),
  number('chosenHop', 8, 'which hop the fields below describe, 0 next to the sender'),
  number('responseFlags', 8, '0x80 INT follows, 0x40 path changed, 0x20 hop missing, 0x10 window'),
  number('requestId', 32, '0: reports READ data'),
  hex('transmitTimeNs', 64, 'as in the request'),
  number('nodeId', 32, ''),
  number('portId', 16, ''),
  number('queueId', 8, ''),
  reserved(8),
  hex('timestampNs', 64, ''),
  hex('txBytes', 64, 'upper word all ones: a counter of 32 bits'),
  number('queueBytes', 32, ''),
  number('capacityMbps', 32, ''),
]);

/** One flag of a type; `mask` may cover several bits, which are then a number. */
export interface TransportFlag {
  readonly name: string;
  readonly mask: number;
  readonly text: string;
}

/** A type of packet of the transport. */
export interface TransportType {
  readonly type: number;
  /** `kind` of its lines. */
  readonly kind: string;
  readonly direction: string;
  /** Meaning of `sequence`. */
  readonly sequence: string;
  /** Parts behind the header, in order. */
  readonly body: string;
  readonly flags: readonly TransportFlag[];
}

const ECHO: TransportFlag = { name: 'echo', mask: 0x02, text: 'an echo of telemetry follows' };
const RATIO: TransportFlag = { name: 'ratio', mask: 0x20, text: 'a load ratio follows' };
const AUTH: TransportFlag = { name: 'auth', mask: 0x10, text: 'the packet is signed' };
const EPOCH: TransportFlag = {
  name: 'epoch',
  mask: 0xf0,
  text: 'last bits of the epoch of the window in force',
};
const COOKIE_FLAG: TransportFlag = {
  name: 'unconfirmed',
  mask: 0x01,
  text: 'version 4: a cookie precedes the trailer',
};

/** Types of the transport by their number. */
export const TRANSPORT_TYPES: readonly TransportType[] = [
  {
    type: 1,
    kind: 'data',
    direction: 'forward',
    sequence: 'first byte of the payload',
    body: 'payload',
    flags: [
      { name: 'fin', mask: 0x01, text: 'the payload ends the flow' },
      { name: 'retransmit', mask: 0x04, text: 'some of these bytes were sent before' },
      { name: 'selective', mask: 0x08, text: 'the sender repeats single segments' },
      EPOCH,
    ],
  },
  {
    type: 2,
    kind: 'ack',
    direction: 'backward',
    sequence: 'next byte expected',
    body: 'congestion records, selective acknowledgement, cookie, authentication',
    flags: [
      COOKIE_FLAG,
      ECHO,
      { name: 'sack', mask: 0x04, text: 'a selective acknowledgement follows' },
      { name: 'nack', mask: 0x08, text: 'a gap precedes the data that caused it' },
      AUTH,
      RATIO,
      { name: 'accumulated', mask: 0x40, text: 'records of several packets follow' },
      { name: 'marked', mask: 0x80, text: 'the data had ECN "congestion experienced"' },
    ],
  },
  {
    type: 3,
    kind: 'probe',
    direction: 'forward',
    sequence: 'number of the request',
    body: 'none; telemetry precedes the header',
    flags: [EPOCH],
  },
  {
    type: 4,
    kind: 'telemetry',
    direction: 'backward',
    sequence:
      'request answered (response), first byte of a segment (trimmed), end of what is known (held), or next byte expected: an acknowledgement (notification)',
    body: 'congestion record, cookie, authentication',
    flags: [
      COOKIE_FLAG,
      ECHO,
      AUTH,
      RATIO,
      { name: 'repeated', mask: 0x04, text: 'the trimmed segment was sent again' },
      { name: 'trimmed', mask: 0x08, text: 'the segment has come as its header alone' },
      { name: 'response', mask: 0x40, text: 'answers a probe' },
      {
        name: 'held',
        mask: 0x80,
        text: 'the trimmed segment is asked for later; alone: all that has not left, whose turn has come if `repeated`',
      },
    ],
  },
  {
    type: 5,
    kind: 'window',
    direction: 'backward',
    sequence: 'next byte expected: an acknowledgement',
    body: 'window record, cookie, authentication',
    flags: [COOKIE_FLAG, AUTH],
  },
  {
    type: 6,
    kind: 'switch-response',
    direction: 'from a switch',
    sequence: 'that of the packet that made the switch respond',
    body: 'response of a switch, block of the switch, authentication',
    flags: [
      { name: 'toReceiver', mask: 0x01, text: 'addressed to the receiver of the flow' },
      AUTH,
    ],
  },
  {
    type: 7,
    kind: 'settings',
    direction: 'both',
    sequence: 'number of the request',
    body: 'settings of the host, a line `name=value` each',
    flags: [{ name: 'response', mask: 0x40, text: 'answers a request' }],
  },
];

/** All bits that flags of a type may have. */
export const flagMask = (type: number): number =>
  (TRANSPORT_TYPES[type - 1]?.flags ?? []).reduce((all, { mask }) => all | mask, 0);
