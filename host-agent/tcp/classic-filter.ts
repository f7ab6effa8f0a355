import { ETHERNET_LENGTH, ETHERTYPE_IPV4 } from '../../common/wire/ip/ethernet';
import { INT_DSCP } from '../../common/wire/int/int-md';
import { PROTOCOL_TCP } from '../../common/wire/ip/ipv4';
import { OBSERVED_BYTES } from './observed-segment';

/** One instruction of classic BPF: the C structure sock_filter. */
export interface FilterInstruction {
  readonly code: number;
  /** Instructions to skip when the comparison holds, and when it does not. */
  readonly ifTrue: number;
  readonly ifFalse: number;
  readonly operand: number;
}

const LOAD_BYTE = 0x30;
const LOAD_HALF = 0x28;
const LOAD_WORD = 0x20;
const AND = 0x54;
const JUMP_EQUAL = 0x15;
const RETURN = 0x06;

const ETHERTYPE_AT = 12;
const TRAFFIC_CLASS_AT = ETHERNET_LENGTH + 1;
const PROTOCOL_AT = ETHERNET_LENGTH + 9;
const DESTINATION_AT = ETHERNET_LENGTH + 16;
const DSCP_MASK = 0xfc;

const load = (code: number, offset: number): FilterInstruction => ({
  code,
  ifTrue: 0,
  ifFalse: 0,
  operand: offset,
});
const give = (value: number): FilterInstruction => ({
  code: RETURN,
  ifTrue: 0,
  ifFalse: 0,
  operand: value,
});

/** Return values of a filter program: for telemetry of TCP, for other TCP, and for everything else. */
interface Verdicts {
  readonly telemetry: number;
  readonly tcp: number;
  readonly other: number;
}

/** Looks at TCP over IPv4 to one address; what passes through a host that routes is not its own. */
function byTelemetry(address: number, { telemetry, tcp, other }: Verdicts): FilterInstruction[] {
  return [
    load(LOAD_HALF, ETHERTYPE_AT),
    { code: JUMP_EQUAL, ifTrue: 0, ifFalse: 9, operand: ETHERTYPE_IPV4 },
    load(LOAD_BYTE, PROTOCOL_AT),
    { code: JUMP_EQUAL, ifTrue: 0, ifFalse: 7, operand: PROTOCOL_TCP },
    load(LOAD_WORD, DESTINATION_AT),
    { code: JUMP_EQUAL, ifTrue: 0, ifFalse: 5, operand: address },
    load(LOAD_BYTE, TRAFFIC_CLASS_AT),
    { code: AND, ifTrue: 0, ifFalse: 0, operand: DSCP_MASK },
    { code: JUMP_EQUAL, ifTrue: 0, ifFalse: 1, operand: INT_DSCP << 2 },
    give(telemetry),
    give(tcp),
    give(other),
  ];
}

const WHOLE_FRAME = 0x40000;
const NOTHING = 0;

/** Makes a socket's filter for whole frames of telemetry. */
export const telemetryFilter = (address: number): FilterInstruction[] =>
  byTelemetry(address, { telemetry: WHOLE_FRAME, tcp: NOTHING, other: NOTHING });

/** Makes a socket's filter for the headers of all other TCP segments. */
export const segmentFilter = (address: number): FilterInstruction[] =>
  byTelemetry(address, { telemetry: NOTHING, tcp: OBSERVED_BYTES, other: NOTHING });

const TC_ACT_SHOT = 2;
const TC_ACT_UNSPEC = 0xffff_ffff;

/**
 * For tc at ingress, with direct action: the kernel's TCP never sees telemetry. Packet sockets have
 * seen the frame by then (the kernel's taps come before its ingress).
 */
export const interceptionFilter = (address: number): FilterInstruction[] =>
  byTelemetry(address, { telemetry: TC_ACT_SHOT, tcp: TC_ACT_UNSPEC, other: TC_ACT_UNSPEC });

/** As an array of the C structure sock_filter. */
export function filterBytes(program: readonly FilterInstruction[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * program.length));
  program.forEach(({ code, ifTrue, ifFalse, operand }, i) => {
    view.setUint16(8 * i, code, true);
    view.setUint8(8 * i + 2, ifTrue);
    view.setUint8(8 * i + 3, ifFalse);
    view.setUint32(8 * i + 4, operand, true);
  });
  return new Uint8Array(view.buffer);
}

/** As tc takes it: the number of instructions, and each of them. */
export function filterText(program: readonly FilterInstruction[]): string {
  const lines = program.map(
    ({ code, ifTrue, ifFalse, operand }) => `${code} ${ifTrue} ${ifFalse} ${operand}`,
  );
  return [program.length, ...lines].join(',');
}
