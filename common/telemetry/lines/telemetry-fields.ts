import type { HopTelemetry } from '../../hop/hop';
import type { DecodeFormat } from '../decode/telemetry';

/** What lines call the fields that all carriers share, in their order; names end in units. */
export const HOP_FIELDS = [
  ['switchId', 'switchId'],
  ['portId', 'portId'],
  ['ingressPortId', 'ingressPortId'],
  ['queueId', 'queueId'],
  ['timestampNs', 'timestamp'],
  ['timestampModulusNs', 'timestampModulus'],
  ['txBytes', 'txBytes'],
  ['txModulusBytes', 'txBytesModulus'],
  ['queueBytes', 'queueBytes'],
  ['capacityBitsPerSecond', 'capacity'],
  ['utilization', 'utilization'],
] as const satisfies readonly (readonly [string, keyof HopTelemetry])[];

/** Names of a format's own fields, besides `kind`. */
export interface FormatFields {
  /** Of the header. */
  readonly details: readonly string[];
  /** Of each hop. */
  readonly hop: readonly string[];
}

const INT_HOP = [
  ...['hopLatencyNs', 'ingressTimestampNs', 'ingressPortId2', 'egressPortId2', 'ownQueueBytes'],
  ...['bufferId', 'bufferBytes', 'reservedWords', 'domainWords', 'checksumComplement'],
];

/** Every field of every format, in the order of columns. */
export const FORMAT_FIELDS: Readonly<Record<DecodeFormat, FormatFields>> = {
  int: {
    details: [
      ...['originalDscp', 'originalPort', 'originalProtocol', 'instructionBitmap', 'domainId'],
      ...['dsInstruction', 'dsFlags', 'coordination', 'discard', 'hopLimitExceeded'],
      ...['mtuExceeded', 'remainingHops', 'hopWords', 'replication', 'sourceMetadata'],
      ...['echoOfFlow', 'acknowledgement'],
    ],
    hop: INT_HOP,
  },
  padding: { details: ['pathId', 'hopCount'], hop: ['speedCode'] },
  ioam: {
    details: [
      ...['namespaceId', 'traceType', 'overflow', 'loopback', 'active', 'remainingWords'],
      ...['isIncremental', 'sequence64', 'sequence', 'seconds', 'fraction', 'flags', 'flowId'],
      ...['extensionFlags', 'extensionWords'],
    ],
    hop: [
      ...['hopLimit', 'wideSwitchId', 'wideIngressPortId', 'wideEgressPortId', 'timestampSeconds'],
      ...['timestampFraction', 'transitDelayNs', 'transitDelayOverflow', 'namespaceData'],
      ...['wideNamespaceData', 'bufferBytes', 'checksumComplement', 'undefinedWords'],
      ...['snapshotSchema', 'snapshotData'],
    ],
  },
  ifa: {
    details: [
      ...['version', 'globalNamespace', 'inBand', 'wordsMax', 'request', 'action', 'hopLimit'],
      ...['flags', 'nextHeader', 'messageType', 'hopCount', 'lengthMax', 'senderHandle'],
      ...['sequence', 'currentLength'],
    ],
    hop: [
      ...['localNamespace', 'ttl', 'speedCode', 'congestion', 'rxSeconds', 'rxNanoseconds'],
      ...['txNanoseconds', 'residenceNs', 'portType', 'opaqueWords'],
    ],
  },
  csig: { details: ['signalType', 'signalBucket', 'locator', 'doNotUpdate', 'tpid'], hop: [] },
  report: { details: ['hardwareId', 'sequence', 'nodeId', 'reports'], hop: INT_HOP },
  roce: {
    details: [
      ...['opcode', 'destinationQp', 'psn', 'becn', 'fecn', 'ackRequest', 'solicited'],
      ...['migration', 'padCount', 'partitionKey', 'acknowledge', 'virtualAddress', 'remoteKey'],
      ...['dmaLengthBytes', 'requestId', 'hopsMax', 'hopCount', 'chosenHop', 'responseFlags'],
      'transmitTimeNs',
    ],
    hop: [],
  },
  ccm: {
    details: [
      ...['congestionControl', 'reroutingPoint', 'type', 'anyPort', 'keyId', 'senderNode'],
      ...['sequence', 'protocol', 'trafficClass', 'queueId', 'severity', 'sourcePort'],
      ...['destinationPort', 'destinationQp', 'queueBytes', 'timeNs', 'flowSource'],
      ...['flowDestination', 'isAuthenticated', 'mac'],
    ],
    hop: [],
  },
};
