import { actionEntry, INGRESS_PORT } from './role-parts';
import type { RoleContext, RoleState } from './role-parts';

/** What a node adds that has no data of a namespace (RFC 9197, section 4.4.2). */
const NO_DATA = 0xffff_ffff;
const NO_WIDE_DATA = 0xffff_ffff_ffff_ffffn;

/**
 * IOAM transit: the namespaces that the network knows, and the ports where IOAM may come in, which
 * are all that lead somewhere and are trusted.
 */
export function ioamState({ network, place, spec, program }: RoleContext): RoleState {
  const { namespaces } = network.telemetry.ioam;
  const [known, interfaces] = ['namespaces', 'interface'].map((name) => program.tables.find(name));
  if (namespaces.length === 0 || known === undefined || interfaces === undefined) {
    return { replication: [], entries: [] };
  }
  const untrusted = new Set(
    spec.document.ports.filter((each) => each.untrusted).map(({ port }) => port),
  );
  const open = place.ports.filter(({ port }) => !untrusted.has(port));
  return {
    replication: [],
    entries: [
      ...namespaces.map(({ id, hpcc, data, wideData }) =>
        actionEntry(known.name, { namespace_id: id }, 'set_namespace', {
          is_hpcc: hpcc ? 1 : 0,
          data: data ?? NO_DATA,
          wide_data: wideData ?? NO_WIDE_DATA,
        }),
      ),
      ...open.map(({ port }) =>
        actionEntry(interfaces.name, { [INGRESS_PORT]: port }, 'enable', {}),
      ),
    ],
  };
}
