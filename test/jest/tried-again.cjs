// A test of an edge, with real clocks, sockets and processes, may fail because the machine stood still: it is
// tried twice more. What failed is printed at each try, so that a test that needs a second one is seen.
const EDGES = /\/test\/(?:.*\/)?(?:bmv2|browser|cli|environment|io|mininet|peers|server)\//;

jest.retryTimes(EDGES.test(expect.getState().testPath) ? 2 : 0, { logErrorsBeforeRetry: true });
