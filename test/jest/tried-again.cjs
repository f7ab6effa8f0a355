// A test in real time, between interfaces, may fail because the machine stood still: it is tried twice more.
// What failed is printed at each try, so that a test that needs a second one is seen.
jest.retryTimes(2, { logErrorsBeforeRetry: true });
