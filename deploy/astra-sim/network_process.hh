// The network as a process at the other end of two pipes, which `hpcc network-backend` is.

#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <sys/types.h>
#include <vector>

namespace hpcc {

// One sentence: why a run cannot go on.
struct Fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// What the network has: ranks in dimensions, and the rate of a rank's link of each, in Gb/s.
struct Network {
    int ranks;
    std::vector<int> dimensions;
    std::vector<double> rates;
};

// What has happened, at an instant in ps: ids of the messages that have arrived.
struct Event {
    uint64_t now;
    std::vector<uint64_t> arrived;
    // The network is at rest behind the end of the run.
    bool is_done;
};

// Speaks the lines that docs/workloads.md describes. Ends the process with it.
class NetworkProcess {
  public:
    // Starts `command network` by the shell. Throws Fault where it does not answer.
    NetworkProcess(const std::string& command, const std::string& network);
    ~NetworkProcess();
    NetworkProcess(const NetworkProcess&) = delete;
    NetworkProcess& operator=(const NetworkProcess&) = delete;

    const Network& network() const { return network_; }

    // Waits for what happens next. Throws Fault where the process has ended, or says why it ends.
    Event next();

    // Part of the answer to an event, which `go`, `go_until` or `end` completes.
    void send(uint64_t id, int from, int to, uint64_t bytes);
    void go();
    void go_until(uint64_t at);
    void end();
    // Says why the run ends here; does nothing where nobody reads any more.
    void fail(const std::string& sentence);

    // Waits for its end. Throws Fault unless that was a success.
    void finish();

  private:
    std::string line();
    void flush();

    pid_t pid_ = -1;
    int input_ = -1;
    int output_ = -1;
    std::string read_;
    std::string written_;
    Network network_;
};

}  // namespace hpcc
