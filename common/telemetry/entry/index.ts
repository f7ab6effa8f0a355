/**
 * `hpcc-plus-plus/telemetry`: in-band telemetry as hop records. Reads INT-MD, HPCC padding, IOAM, IFA,
 * CSIG, telemetry reports, RoCEv2 and congestion notifications from frames and captures, writes
 * the headers of these formats, and makes whole frames of them.
 *
 * @example
 * for (const { frame, decoded } of decodeCapture(fs.readFileSync('capture.pcap'))) {
 *   if (decoded instanceof WireFault) console.log(frame, decoded.toString());
 *   else for (const found of decoded.telemetry) console.log(frame, found);
 * }
 *
 * @module telemetry
 */
export { ReportCollector } from '../collect/report-collector';
export type { CollectedPacket, CollectedReport } from '../collect/report-collector';
export { IdleClock } from '../collect/idle-clock';
export type { ReportSource, SequenceGaps, SourceCounts } from '../collect/sequence-gaps';
export { intMatchers } from '../judge/matchers';
export type { MatcherResult } from '../judge/matchers';
export { judgeTransit } from '../judge/transit-clauses';
export type { Verdict } from '../judge/clause';
export { JUDGED_ROLES, RoleJudge, clausesOf } from '../judge/roles';
export type { IntRole, JudgedRole } from '../judge/roles';
export type { Exchange } from '../judge/passage';
export type { ClauseName } from '../judge/verdicts';
export type { JudgeSettings } from '../judge/packet-view';
export { JUDGED_CARRIERS } from '../judge/carriers';
export type { JudgedCarrier } from '../judge/carriers';
export { suiteOf } from '../judge/suites';
export type { SuiteFlow } from '../judge/ioam-suite';
export { checkLayers, craftFrame, dissectFrame, editLayers } from '../craft/kinds';
export type { Dissected } from '../craft/engine';
export type { AnyLayer } from '../craft/layer';
export { craftDocument, layersDocument } from '../craft/document';
export type { CraftedFrame } from '../craft/document';
export type { DocumentPath } from '../../document/schema-faults';
export { LayerError } from '../craft/values';
export { CaptureDecoder, decodeCapture } from '../decode/decode-capture';
export type { DecodedCaptureFrame, DecodeOptions } from '../decode/decode-capture';
export { decodeFrame } from '../decode/decode-frame';
export type { DecodedFrame } from '../decode/decode-frame';
export { DEFAULT_DECODE_SETTINGS } from '../decode/decode-settings';
export type { DecodeSettings } from '../decode/decode-settings';
export { DECODE_FORMATS } from '../decode/telemetry';
export type { DecodeFormat, Telemetry } from '../decode/telemetry';
export { telemetryLine } from '../decode/telemetry-line';
export type { IpLayer, TransportLayer } from '../decode/frame-layers';
export type { IfaHeader } from '../../wire/ifa/ifa2';
export type { Ipv6Option } from '../../wire/ip/ipv6';
export type { CsigDialect } from '../../wire/csig/csig';
export type { BitsPerSecond, Bytes } from '../../units/units';
export { isHopRecord } from '../../hop/hop';
export type { CarrierHop, HopRecord, HopTelemetry } from '../../hop/hop';
export type { HopUnits } from '../../hop/hop-units';
export type { CaptureTime } from '../../wire/capture/records';
export { FORMATS } from '../decode/formats';
export type { WireFormat } from '../../wire/fixed-format';
export { checksumComplement } from '../../wire/ip/checksum';
export { csigBucket, initialCsig, updateCsig } from '../../wire/csig/csig';
export { pushHpccPadding } from '../../wire/hpcc/hpcc-padding';
export { EMPTY_NS3_INT, pushNs3Int } from '../../wire/hpcc/ns3-int-header';
export { computeIcrc, emitIcrc } from '../../wire/roce/icrc';
export { maskedTraceHeader } from '../../wire/ioam/ioam-integrity';
export { padIpv6Options } from '../../wire/ip/ipv6';
export type { Word64 } from '../../wire/bytes';
export type { CcmNotification } from '../../wire/coordination/ccm-notification';
export type { CcmIndicators } from '../../wire/coordination/ccm-tag';
export type { CsigTag, CsigWideTag } from '../../wire/csig/csig';
export type { HpccPadding, HpccPaddingRecord } from '../../wire/hpcc/hpcc-padding';
export type { Ns3IntHeader, Ns3IntHop } from '../../wire/hpcc/ns3-int-header';
export type { Ifa1, Ifa1Record } from '../../wire/ifa/ifa1';
export type { IfaMetadata, IfaRecord } from '../../wire/ifa/ifa2';
export type { IntInstructions, IntMdInstructions } from '../../wire/int/int-md-header';
export type { IntBlock } from '../../wire/int/int-metadata';
export type { IntMx } from '../../wire/int/int-mx';
export type { IntMdPacket, IntMxPacket, IntPacket } from '../../wire/int/int-packet';
export type { IntStack, IntV05Packet, IntV1Packet } from '../../wire/int/int-packet';
export type { IntV05Head, IntV05Tail } from '../../wire/int/int-v05';
export type { IntShim } from '../../wire/int/int-shim';
export type { IntGeneveOption, IntGreShim, IntVxlanGpeShim } from '../../wire/int/int-tunnels';
export type { IntV1Instructions, IntV1Shim } from '../../wire/int/int-v1-header';
export type { IndividualReport, ReportedInt } from '../../wire/int/telemetry-report';
export type { TelemetryReport } from '../../wire/int/telemetry-report';
export type { IoamDex } from '../../wire/ioam/ioam-dex';
export type { IoamE2e } from '../../wire/ioam/ioam-e2e';
export type { IoamIntegrity } from '../../wire/ioam/ioam-integrity';
export type { IoamNode, IoamSnapshot } from '../../wire/ioam/ioam-node';
export type { IoamOption } from '../../wire/ioam/ioam-option';
export type { IoamTrace } from '../../wire/ioam/ioam-trace';
export type { EthernetHeader, VlanTag } from '../../wire/ip/ethernet';
export type { Ipv4Header, ParsedIpv4 } from '../../wire/ip/ipv4';
export type { Ipv6Address, Ipv6Header, Ipv6OptionContent } from '../../wire/ip/ipv6';
export type { Ipv6Options, WrittenIpv6Options } from '../../wire/ip/ipv6';
export type { ParsedTcp, TcpHeader, TcpOption } from '../../wire/ip/tcp';
export type { NshHeader, NshIoamHead } from '../../wire/ip/nsh';
export type { GeneveHeader, GreHeader, VxlanGpeHeader } from '../../wire/ip/tunnels';
export type { RawUdpHeader, UdpHeader } from '../../wire/ip/udp';
export type { Cnp, CompactResponse } from '../../wire/roce/cnp';
export { WireFault } from '../../wire/fault';
export { InputError } from '../../errors';
