/**
 * Flag of V8 for processes that handle packets. By default V8 collects all garbage some 8 s after
 * the heap has grown if little is allocated, and once or twice again: it takes such a process for
 * idle. But packets reuse memory, and one that forwards thousands in a second allocates next to
 * nothing: each time, packets waited for 8 to 12 ms, and collecting took 35 ms of the processor.
 */
export const WITHOUT_REDUCER = '--no-memory-reducer';
