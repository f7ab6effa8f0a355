import { undefinedWord } from '../wire/ioam/ioam-node';
import type { IoamNode } from '../wire/ioam/ioam-node';
import type { IoamTrace } from '../wire/ioam/ioam-trace';
import type { HopTelemetry } from '../hop/hop';
import type { HopUnits, MutableHop } from '../hop/hop-units';
import { ALL_ONES_16, ALL_ONES_24, ALL_ONES_32, available, setField } from '../hop/hop-units';
import { withCapacity } from '../hop/hop-units';

const SECOND = 1e9;
/** Seconds are reduced to 22 bits, so that ns since the origin stay below 2^53. */
const SECONDS_MODULUS = 2 ** 22;
const TX_BYTES_MODULUS = 2 ** 32;
/** Of draft-gafni-ippm-ioam-additional-data-fields; RFC 9197 nodes fill it with ones. */
const TX_BYTES_BIT = 12;

/** ns per unit of the timestamp fraction. */
const FRACTION_UNIT = { ptp: 1, posix: 1000, ntp: SECOND / 2 ** 32 } as const;

/** Hops in path order. The timestamp is that of reception, by RFC 9197, unless the domain differs. */
export const ioamHops = ({ nodes, traceType }: IoamTrace, units: HopUnits): HopTelemetry[] =>
  nodes.map((node) => nodeHop(node, traceType, units)).reverse();

function nodeHop(node: IoamNode, traceType: number, units: HopUnits): HopTelemetry {
  const hop: MutableHop = {};
  setField(hop, 'switchId', available(node.nodeId, ALL_ONES_24));
  setField(
    hop,
    'portId',
    available(node.egressInterface, ALL_ONES_16) ??
      available(node.egressInterfaceWide, ALL_ONES_32),
  );
  setField(
    hop,
    'ingressPortId',
    available(node.ingressInterface, ALL_ONES_16) ??
      available(node.ingressInterfaceWide, ALL_ONES_32),
  );
  setTime(hop, node, units);
  const queue = available(node.queueDepth, ALL_ONES_32);
  if (queue !== undefined) hop.queueBytes = queue * units.queueUnit;
  const txBytes = available(undefinedWord(node, traceType, TX_BYTES_BIT), ALL_ONES_32);
  if (txBytes !== undefined) {
    hop.txBytes = txBytes;
    hop.txBytesModulus = TX_BYTES_MODULUS;
  }
  return withCapacity(hop, units);
}

/** A fraction alone wraps every second, whatever its unit. */
function setTime(hop: MutableHop, node: IoamNode, { ioamFraction }: HopUnits): void {
  const fraction = available(node.fraction, ALL_ONES_32);
  if (fraction === undefined) return;
  const nanoseconds = Math.floor(fraction * FRACTION_UNIT[ioamFraction]) % SECOND;
  const seconds = available(node.seconds, ALL_ONES_32);
  hop.timestamp = ((seconds ?? 0) % SECONDS_MODULUS) * SECOND + nanoseconds;
  hop.timestampModulus = seconds === undefined ? SECOND : SECONDS_MODULUS * SECOND;
}
