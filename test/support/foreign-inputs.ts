/** Files of a public repository, and how `hpcc run` takes them. */
export interface ForeignInputs {
  /** Folder of its checkout, `owner/name`. */
  readonly checkout: string;
  readonly commit: string;
  /** Word of the table for these files. */
  readonly what: string;
  /** Folder in the checkout, and which of its files, by their path in it. */
  readonly under: string;
  readonly files: RegExp;
  /** Arguments for a file, by its full name; `oneFlow` is a file of a flow from host 0 to host 1. */
  readonly args: (file: string, oneFlow: string) => readonly string[];
  /** Virtual time after which a run of much traffic has shown enough; absent: it goes on to its end. */
  readonly untilUs?: number;
  /** Files that are refused, by the end of their path, and what the refusal says. */
  readonly refused?: Readonly<Record<string, RegExp>>;
}

const HPCC = 'simulation/mix';
const POWERTCP = 'simulator/ns-3.39/examples/PowerTCP';
const REVERIE = 'simulator/ns-3.39/examples/Reverie';
const HTSIM = 'htsim/sim/datacenter';
const SCHEDGEN = 'goal_gen/hpc/Schedgen/liballprof-samples';

/** A flow for topologies that come without any. */
export const ONE_FLOW = '1\n0 1 3 100 10000 2.0\n';

const onOneFlow = (file: string, oneFlow: string): readonly string[] => [
  '--topology',
  file,
  '--flows',
  oneFlow,
];
const workload = (file: string): readonly string[] => ['--workload', file];

/** Small inputs that come with repositories of simulators, at their newest commits of November 2026. */
export const FOREIGN_INPUTS: readonly ForeignInputs[] = [
  {
    checkout: 'alibaba-edu/High-Precision-Congestion-Control',
    commit: '9f4be2a',
    what: 'topologies',
    under: HPCC,
    files: /^(?:topology|fat|ali_32host_10rack)\.txt$/,
    untilUs: 20,
    // Its topology.txt announces links for a part of the hosts only.
    args: (file) => ['--topology', file, '--flows', file.replace(/[^/]*$/, 'flow.txt')],
  },
  {
    checkout: 'alibaba-edu/High-Precision-Congestion-Control',
    commit: '9f4be2a',
    what: 'flows',
    untilUs: 20,
    under: HPCC,
    files: /^flow.*\.txt$/,
    args: (file) => ['--topology', file.replace(/[^/]*$/, 'fat.txt'), '--flows', file],
    refused: { 'flow_tcp_0.txt': /wanted at least 1 flow, found 0/ },
  },
  {
    checkout: 'inet-tub/ns3-datacenter',
    commit: '6ddb4a4',
    what: 'topologies',
    under: POWERTCP,
    files: /^topology.*\.txt$/,
    args: onOneFlow,
  },
  {
    checkout: 'inet-tub/ns3-datacenter',
    commit: '6ddb4a4',
    what: 'flows',
    untilUs: 20,
    under: POWERTCP,
    files: /^flow.*\.txt$/,
    args: (file) => ['--topology', file.replace(/[^/]*$/, 'topology-256.txt'), '--flows', file],
  },
  {
    checkout: 'inet-tub/ns3-datacenter',
    commit: '6ddb4a4',
    what: 'flows with topology (Reverie)',
    untilUs: 20,
    under: REVERIE,
    files: /^flow.*\.txt$/,
    args: (file) => ['--topology', file.replace(/[^/]*$/, 'leaf-spine.txt'), '--flows', file],
  },
  {
    checkout: 'conweave-project/conweave-ns3',
    commit: '236a801',
    what: 'topologies',
    under: 'config',
    files: /\.txt$/,
    args: onOneFlow,
  },
  {
    checkout: 'astra-sim/astra-network-ns3',
    commit: '8fd3604',
    what: 'topologies',
    under: 'scratch/topology',
    files: /\.txt$/,
    args: onOneFlow,
  },
  {
    checkout: 'astra-sim/astra-sim',
    commit: '518bd51',
    what: 'micro-benchmarks (Chakra)',
    under: 'examples/workload/microbenchmarks',
    files: /\.0\.et$/,
    args: (file) => workload(file.replace(/\.0\.et$/, '')),
  },
  {
    checkout: 'astra-sim/astra-sim',
    commit: '518bd51',
    what: 'custom collectives (Chakra)',
    under: 'examples/system/custom_collectives',
    files: /\.0\.et$/,
    args: (file) => workload(file.replace(/\.0\.et$/, '')),
  },
  {
    checkout: 'astra-sim/astra-sim',
    commit: '518bd51',
    what: 'custom collectives (MSCCL XML)',
    under: 'examples/system/custom_collectives',
    files: /\.xml$/,
    args: (file) => [...workload(file), '--workload-bytes', '1000000'],
  },
  {
    checkout: 'mlcommons/chakra',
    commit: '21585d8',
    what: 'test data (Chakra, unpacked)',
    under: 'tests/data',
    // Beside each file its archives have one of attributes, for macOS.
    files: /^(?:.*\/)?(?!\._)[^/]*\.(?:et|json)$/,
    args: workload,
    refused: {
      '1.0.2-chakra.0.0.4.json': /none of the formats that are read/,
    },
  },
  {
    checkout: 'aliyun/SimAI',
    commit: 'cef83f9',
    what: 'workloads',
    under: 'example',
    files: /\.txt$/,
    args: workload,
    refused: { 'workload_analytical.txt': /1789 layers on 9216 ranks are more than 4000000 tasks/ },
  },
  {
    checkout: 'spcl/LogGOPSim',
    commit: '76451de',
    what: 'GOAL',
    under: 'src/LogGOPSim',
    files: /\.goal$/,
    args: workload,
  },
  {
    checkout: 'spcl/atlahs',
    commit: '8837294',
    what: 'MPI traces (liballprof)',
    under: SCHEDGEN,
    files: /-0\.(?:txt|dat)$/,
    args: (file) => workload(file.replace(/\/[^/]*$/, '')),
  },
  {
    checkout: 'spcl/atlahs',
    commit: '8837294',
    what: 'connection matrices',
    untilUs: 20,
    under: 'sim/htsim-backend/sim',
    files: /\.cm$/,
    args: workload,
  },
  {
    checkout: 'spcl/atlahs',
    commit: '8837294',
    what: 'topologies (htsim)',
    under: 'sim/htsim-backend/sim',
    files: /\.topo$/,
    args: onOneFlow,
  },
  {
    checkout: 'ultraethernet/uet-htsim',
    commit: '40ccb05',
    what: 'connection matrices',
    untilUs: 20,
    under: HTSIM,
    files: /^(?!.*perm_8192n_8192c).*\.cm$/,
    args: workload,
    refused: { 'a2a.cm': /3600 connections are announced, 240 follow/ },
  },
  {
    checkout: 'ultraethernet/uet-htsim',
    commit: '40ccb05',
    what: 'permutations of 8192 nodes',
    untilUs: 3,
    under: HTSIM,
    files: /perm_8192n_8192c.*\.cm$/,
    args: workload,
  },
  {
    checkout: 'ultraethernet/uet-htsim',
    commit: '40ccb05',
    what: 'topologies',
    under: HTSIM,
    files: /\.topo$/,
    args: onOneFlow,
  },
];
