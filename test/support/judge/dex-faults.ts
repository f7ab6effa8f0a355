import type { Exchange } from '../../../common/telemetry/judge/passage';
import { craft, edit, patched } from './fault';
import type { DeviceFault, Layers } from './fault';

/** Nodes that export directly, with one fault each. */

const packet = (hopLimit: number, directExport: object = {}): Layers => [
  { kind: 'ethernet' },
  { kind: 'ipv6', hopLimit },
  {
    kind: 'hop-by-hop',
    options: [
      {
        directExport: {
          namespaceId: 1,
          traceType: 0xc00000,
          flowId: 7,
          sequence: 3,
          ...directExport,
        },
      },
    ],
  },
  { kind: 'udp', sourcePort: 7, destinationPort: 5000 },
  { kind: 'payload', text: 'abcd' },
];

const SENT = packet(64);
const RETURNED = packet(63);
const UNKNOWN = { namespaceId: 2 };

/** A report of a packet as it left. */
function reportOf(layers: Layers): Uint8Array {
  const int = { ingressInterface: 1, egressInterface: 2 };
  const report = { trackedFlow: true, int, layers: layers.slice(1) };
  const udp = { kind: 'udp', destinationPort: 50_003 };
  return craft([
    { kind: 'ethernet' },
    { kind: 'ipv4', dontFragment: true },
    udp,
    { kind: 'report', nodeId: 9, reports: [report] },
  ]);
}

const exchange = (
  sent: Layers,
  returned: readonly Layers[],
  reports: readonly Layers[],
): Exchange => ({
  sent: craft(sent),
  returned: returned.map(craft),
  reports: reports.map(reportOf),
});

const RIGHT = exchange(SENT, [RETURNED], [RETURNED]);
const PASSED_ON = exchange(packet(64, UNKNOWN), [packet(63, UNKNOWN)], []);

const fault = (clause: string, wrong: Exchange, right = RIGHT): DeviceFault => ({
  role: 'ioam-export',
  clause,
  right: [right],
  wrong: [wrong],
});

export const DEX_FAULTS: readonly DeviceFault[] = [
  fault('dex-packet-returned', exchange(SENT, [], [RETURNED])),
  fault('dex-packet-returned', exchange(SENT, [RETURNED, RETURNED], [RETURNED])),
  fault('dex-hop-limit-decremented', exchange(SENT, [packet(64)], [RETURNED])),
  fault(
    'dex-packet-unchanged',
    exchange(SENT, [edit(RETURNED, 'hop-by-hop', patched(8, '0009'))], [RETURNED]),
  ),
  fault(
    'dex-unknown-namespace-not-exported',
    exchange(packet(64, UNKNOWN), [packet(63, UNKNOWN)], [packet(63, UNKNOWN)]),
    PASSED_ON,
  ),
  fault('dex-report-has-option', exchange(SENT, [RETURNED], [packet(63, { flowId: 8 })])),
];
