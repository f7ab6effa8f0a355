/**
 * Addresses outside of the project that pages link to, and the day on which a copy of each was last looked up by hand;
 * undefined for those whose copies no search has found. Tests ask no server.
 */
export const OUTER_LINKS: Readonly<Record<string, string | undefined>> = {
  'https://datatracker.ietf.org/doc/draft-an-ccwg-hpcc/': '2026-11-29',
  'https://datatracker.ietf.org/doc/draft-ietf-rtgwg-net-notif-ps/': '2026-11-29',
  'https://datatracker.ietf.org/doc/draft-lyu-rtgwg-coordinated-cm/': undefined,
  'https://datatracker.ietf.org/doc/draft-miao-ccwg-hpcc-info/': '2026-11-29',
  'https://datatracker.ietf.org/doc/draft-miao-ccwg-hpcc/': undefined,
  'https://datatracker.ietf.org/doc/draft-miao-rtgwg-hpccplus/': undefined,
  'https://datatracker.ietf.org/doc/draft-miao-tsv-hpcc/': '2026-11-29',
  'https://datatracker.ietf.org/doc/draft-pan-tsvwg-hpccplus/': '2026-11-29',
  'https://datatracker.ietf.org/doc/draft-song-fann-framework/': '2026-11-29',
  'https://datatracker.ietf.org/doc/draft-xiao-fann-fast-cnp/': undefined,
  'https://datatracker.ietf.org/doc/draft-xiao-rtgwg-rocev2-fast-cnp/': undefined,
  'https://datatracker.ietf.org/group/fann/': '2026-11-29',
  'https://doi.org/10.1145/3341302.3342085': undefined,
  'https://github.com/alibaba-edu/High-Precision-Congestion-Control': '2026-11-29',
  'https://github.com/nsg-ethz/p4-utils': '2026-11-29',
  'https://github.com/p4lang/behavioral-model': '2026-11-29',
  'https://github.com/p4lang/behavioral-model/blob/main/targets/simple_switch_grpc/README.md':
    '2026-11-29',
  'https://github.com/p4lang/p4c': '2026-11-29',
  'https://github.com/p4lang/tutorials': '2026-11-29',
  'https://github.com/stratum/stratum': '2026-11-29',
  'https://hub.docker.com/r/p4lang/behavioral-model': undefined,
  'https://hub.docker.com/r/p4lang/p4c': undefined,
  'https://nodejs.org/en/download': undefined,
  'https://p4.org/specifications/': undefined,
  'https://stryker-mutator.io': undefined,
  'https://ui.perfetto.dev': undefined,
  'https://www.rfc-editor.org/rfc/rfc7514': undefined,
  'https://www.rfc-editor.org/rfc/rfc8985': undefined,
  'https://www.rfc-editor.org/rfc/rfc9197': undefined,
  'https://www.rfc-editor.org/rfc/rfc9326': undefined,
  'https://www.rfc-editor.org/rfc/rfc9486': undefined,
};
