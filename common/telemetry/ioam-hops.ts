import { undefinedWord } from '../wire/ioam/ioam-node';
import type { IoamNode } from '../wire/ioam/ioam-node';
import type { IoamTrace } from '../wire/ioam/ioam-trace';
import type { CarrierHop } from '../hop/hop';
import { bytesHex, definedFields, wordHex, wordsHex } from './fields';
import { isAllOnes64, word64Hex } from '../wire/bytes';
import type { HopUnits, MutableHop } from '../hop/hop-units';
import { ALL_ONES_16, ALL_ONES_24, ALL_ONES_32, available, setField } from '../hop/hop-units';
import { withCapacity } from '../hop/hop-units';

const SECOND = 1e9;
/** Seconds are reduced to 22 bits, so that ns since the origin stay below 2^53. */
const SECONDS_MODULUS = 2 ** 22;
const TX_BYTES_MODULUS = 2 ** 32;
/**
 * Bit of the transmitted bytes (draft-gafni-ippm-ioam-additional-data-fields); RFC 9197 nodes fill
 * it with ones.
 */
const TX_BYTES_BIT = 12;

/** ns per unit of the timestamp fraction. */
const FRACTION_UNIT = { ptp: 1, posix: 1000, ntp: SECOND / 2 ** 32 } as const;

/** Hops in path order. The timestamp is that of reception, by RFC 9197, unless the domain differs. */
export const ioamHops = ({ nodes, traceType }: IoamTrace, units: HopUnits): CarrierHop[] =>
  nodes.map((node) => nodeHop(node, traceType, units)).reverse();

function nodeHop(node: IoamNode, traceType: number, units: HopUnits): CarrierHop {
  const hop: MutableHop & { fields?: Readonly<Record<string, number | string>> } = {};
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
  const fields = otherFields(node, units);
  if (fields !== undefined) hop.fields = fields;
  return withCapacity(hop, units);
}

const TRANSIT_OVERFLOW = 0x8000_0000;

/** Values of a node beyond the fields that all carriers share: all bits of the trace type. */
function otherFields(
  node: IoamNode,
  units: HopUnits,
): Readonly<Record<string, number | string>> | undefined {
  const { wideNode, snapshot, namespaceDataWide: wide } = node;
  const words = node.undefinedWords?.every((word) => word === ALL_ONES_32);
  const delay = available(node.transitDelay, ALL_ONES_32);
  const buffer = available(node.bufferOccupancy, ALL_ONES_32);
  return definedFields<number | string>({
    hopLimit: hopLimitOf(node),
    wideSwitchId:
      wideNode === undefined || isAllOnes64(wideNode)
        ? undefined
        : `0x${word64Hex(wideNode).slice(2)}`,
    wideIngressPortId: available(node.ingressInterfaceWide, ALL_ONES_32),
    wideEgressPortId: available(node.egressInterfaceWide, ALL_ONES_32),
    timestampSeconds: available(node.seconds, ALL_ONES_32),
    timestampFraction: available(node.fraction, ALL_ONES_32),
    // The top bit says that the delay did not fit.
    transitDelayNs: delay === undefined ? undefined : delay % TRANSIT_OVERFLOW,
    transitDelayOverflow: delay === undefined ? undefined : Number(delay >= TRANSIT_OVERFLOW),
    namespaceData: node.namespaceData === undefined ? undefined : wordHex(node.namespaceData),
    wideNamespaceData: wide && `0x${word64Hex(wide)}`,
    bufferBytes: buffer === undefined ? undefined : buffer * units.queueUnit,
    checksumComplement:
      node.checksumComplement === undefined ? undefined : wordHex(node.checksumComplement),
    undefinedWords: words === true ? undefined : wordsHex(node.undefinedWords),
    snapshotSchema: available(snapshot?.schemaId, ALL_ONES_24),
    snapshotData: snapshot && bytesHex(snapshot.data),
  });
}

/** Hop limit from the short or wide form of the node id; undefined when both are all ones. */
function hopLimitOf({ hopLimit, nodeId, wideNode }: IoamNode): number | undefined {
  if (nodeId !== undefined)
    return hopLimit === 0xff && nodeId === ALL_ONES_24 ? undefined : hopLimit;
  return wideNode === undefined || isAllOnes64(wideNode) ? undefined : wideNode.high >>> 24;
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
