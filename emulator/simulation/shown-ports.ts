import { bothWays } from '../../common/topology/topology';
import { telemetrySchema } from '../../controller/document/schema';
import { shownPorts } from '../../controller/document/relative-telemetry';
import type { ShownPort } from '../../controller/document/relative-telemetry';
import type { PortNumber } from '../../common/units/units';
import type { NetworkPlan } from '../network/plan';
import { profileOf } from '../network/switch-hardware';
import type { ScenarioDocument } from '../scenario/schema';

/** The figures that ports show where telemetry is relative. */
export function shownPortsOf(
  scenario: ScenarioDocument,
  { links }: NetworkPlan,
): ((node: string, port: PortNumber) => ShownPort | undefined) | undefined {
  const { relative } = telemetrySchema.parse(scenario.telemetry);
  if (relative === undefined) return undefined;
  const ports = links
    .flatMap((link) => bothWays(link))
    .map(({ a: { node, port }, rate }) => ({ node, port, rate }))
    .filter(({ node }) => profileOf(scenario, node) === 'hpcc-relative');
  const figures = shownPorts(relative, ports);
  const shown = new Map(ports.map(({ node, port }, i) => [`${node}:${port}`, figures[i]]));
  return (node, port) => shown.get(`${node}:${port}`);
}
