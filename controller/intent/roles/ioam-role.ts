import { actionEntry, INGRESS_PORT, roleOf } from './role-parts';

/** Data of a node that has no data of a namespace (RFC 9197, section 4.4.2). */
const NO_DATA = 0xffff_ffff;
const NO_WIDE_DATA = 0xffff_ffff_ffff_ffffn;

/**
 * IOAM transit: the namespaces that the network knows, and the ports where IOAM may come in, which
 * are all that lead somewhere and are trusted.
 */
export const IOAM_ROLE = roleOf({
  what: 'telemetry.ioam',
  tables: ['namespaces', 'interface'],
  section: ({ telemetry: { ioam } }) => (ioam.namespaces.length > 0 ? ioam : undefined),
  fill: ({ namespaces }, { place, spec }) => {
    const untrusted = new Set(
      spec.document.ports.filter((each) => each.untrusted).map(({ port }) => port),
    );
    const open = place.ports.filter(({ port }) => !untrusted.has(port));
    return {
      entries: [
        ...namespaces.map(({ id, hpcc, data = NO_DATA, wideData = NO_WIDE_DATA }) =>
          actionEntry('namespaces', { namespace_id: id }, 'set_namespace', {
            is_hpcc: hpcc ? 1 : 0,
            data,
            wide_data: wideData,
          }),
        ),
        ...open.map(({ port }) => actionEntry('interface', { [INGRESS_PORT]: port }, 'enable', {})),
      ],
    };
  },
});
