/** Copy of another page that shows an address to be right where no copy of the address itself was found. */
interface Witness {
  readonly day: string;
  /** A page of the same site that belongs to the address, or leads there. */
  readonly page: string;
}

const DATATRACKER = 'https://datatracker.ietf.org/doc';

/**
 * Addresses outside of the project that pages link to, and the day on which a copy of each was last looked up by hand;
 * undefined for those whose copies no search has found. Tests ask no server.
 */
export const OUTER_LINKS: Readonly<Record<string, string | Witness | undefined>> = {
  'https://astra-sim.github.io': {
    day: '2026-11-30',
    page: 'https://astra-sim.github.io/tutorials/asplos-2023',
  },
  'https://datatracker.ietf.org/doc/draft-an-ccwg-hpcc/': '2026-11-29',
  'https://datatracker.ietf.org/doc/draft-ietf-rtgwg-net-notif-ps/': '2026-11-29',
  'https://datatracker.ietf.org/doc/draft-lyu-rtgwg-coordinated-cm/': '2026-11-29',
  'https://datatracker.ietf.org/doc/draft-miao-ccwg-hpcc-info/': '2026-11-29',
  'https://datatracker.ietf.org/doc/draft-miao-ccwg-hpcc/': {
    day: '2026-11-29',
    page: `${DATATRACKER}/draft-miao-ccwg-hpcc/02/`,
  },
  'https://datatracker.ietf.org/doc/draft-miao-rtgwg-hpccplus/': undefined,
  'https://datatracker.ietf.org/doc/draft-miao-tsv-hpcc/': '2026-11-29',
  'https://datatracker.ietf.org/doc/draft-pan-tsvwg-hpccplus/': '2026-11-29',
  'https://datatracker.ietf.org/doc/draft-song-fann-framework/': '2026-11-29',
  'https://datatracker.ietf.org/doc/draft-xiao-fann-fast-cnp/': {
    day: '2026-11-29',
    page: `${DATATRACKER}/draft-xiao-fann-fast-cnp/referencedby/`,
  },
  'https://datatracker.ietf.org/doc/draft-xiao-rtgwg-rocev2-fast-cnp/': {
    day: '2026-11-29',
    page: `${DATATRACKER}/draft-xiao-rtgwg-rocev2-fast-cnp/05/bibtex/`,
  },
  'https://datatracker.ietf.org/doc/html/rfc9197': '2026-11-29',
  'https://datatracker.ietf.org/doc/rfc8300/': {
    day: '2026-11-29',
    page: `${DATATRACKER}/draft-ietf-sfc-nsh/28/bibtex`,
  },
  'https://datatracker.ietf.org/doc/rfc9326/': '2026-11-29',
  'https://datatracker.ietf.org/doc/rfc9452/': {
    day: '2026-11-29',
    page: `${DATATRACKER}/draft-ietf-sfc-ioam-nsh/02/bibtex`,
  },
  'https://datatracker.ietf.org/doc/rfc9486/': {
    day: '2026-11-29',
    page: `${DATATRACKER}/rfc9486/referencedby/`,
  },
  'https://datatracker.ietf.org/group/fann/': '2026-11-29',
  'https://github.com/alibaba-edu/High-Precision-Congestion-Control': '2026-11-29',
  'https://github.com/nsg-ethz/p4-utils': '2026-11-29',
  'https://github.com/p4lang/behavioral-model': '2026-11-29',
  'https://github.com/p4lang/behavioral-model/blob/main/targets/simple_switch_grpc/README.md':
    '2026-11-29',
  'https://github.com/p4lang/p4-applications': '2026-11-29',
  'https://github.com/p4lang/p4c': '2026-11-29',
  'https://github.com/p4lang/tutorials': '2026-11-29',
  'https://github.com/stratum/stratum': '2026-11-29',
  'https://hpcc-group.github.io/': '2026-11-29',
  'https://nodejs.org/en/download': {
    day: '2026-11-29',
    page: 'https://nodejs.org/en/download/source-code',
  },
  'https://p4lang.github.io/p4-spec/docs/P4-16-working-spec.html': '2026-11-29',
  'https://p4lang.github.io/p4runtime/spec/v1.5.0/P4Runtime-Spec.html': '2026-11-29',
  'https://stryker-mutator.io': '2026-11-29',
  'https://ui.perfetto.dev': {
    day: '2026-11-29',
    page: 'https://perfetto.dev/docs/visualization/deep-linking-to-perfetto-ui',
  },
  'https://www.ietf.org/archive/id/draft-wh-rtgwg-adaptive-routing-arn-05.xml': '2026-11-30',
  'https://www.rfc-editor.org/info/rfc8985': '2026-11-29',
};
