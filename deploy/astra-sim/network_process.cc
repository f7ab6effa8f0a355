#include "network_process.hh"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace hpcc {

namespace {

constexpr int PROTOCOL = 1;
constexpr size_t CHUNK = 65536;

Fault system_fault(const std::string& what) {
    return Fault(what + ": " + std::strerror(errno));
}

// Values between commas.
template <typename T> std::vector<T> list_of(const std::string& text) {
    std::vector<T> values;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        std::istringstream one(word);
        T value;
        if (!(one >> value)) throw Fault("the network said '" + text + "', where numbers were expected");
        values.push_back(value);
    }
    return values;
}

}  // namespace

NetworkProcess::NetworkProcess(const std::string& command, const std::string& network) {
    // A network that has ended is told by its pipe.
    std::signal(SIGPIPE, SIG_IGN);
    int to[2];
    int from[2];
    if (pipe(to) != 0 || pipe(from) != 0) throw system_fault("cannot make pipes");
    pid_ = fork();
    if (pid_ < 0) throw system_fault("cannot start the network");
    if (pid_ == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        for (int each : {to[0], to[1], from[0], from[1]}) close(each);
        std::signal(SIGPIPE, SIG_DFL);
        const auto script = "exec " + command + " \"$1\"";
        execl("/bin/sh", "sh", "-c", script.c_str(), "sh", network.c_str(), nullptr);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    output_ = to[1];
    input_ = from[0];
    std::istringstream words(line());
    std::string verb, dimensions, rates;
    int version = 0;
    words >> verb >> version >> network_.ranks >> dimensions >> rates;
    if (!words || verb != "network") throw Fault("the network said '" + words.str() + "' first");
    if (version != PROTOCOL) {
        throw Fault("the network speaks version " + std::to_string(version) + ", and this adapter " +
                    std::to_string(PROTOCOL));
    }
    network_.dimensions = list_of<int>(dimensions);
    network_.rates = list_of<double>(rates);
}

NetworkProcess::~NetworkProcess() {
    // Who reads from a closed pipe ends by itself.
    if (output_ >= 0) close(output_);
    if (input_ >= 0) close(input_);
    if (pid_ > 0) waitpid(pid_, nullptr, 0);
}

Event NetworkProcess::next() {
    const auto text = line();
    std::istringstream words(text);
    std::string verb;
    Event event{0, {}, false};
    words >> verb >> event.now;
    event.is_done = verb == "done";
    if (!words || (verb != "at" && !event.is_done)) {
        throw Fault("the network said '" + text.substr(0, 80) + "', where an event was expected");
    }
    for (uint64_t id; words >> id;) event.arrived.push_back(id);
    return event;
}

void NetworkProcess::send(uint64_t id, int from, int to, uint64_t bytes) {
    written_ += "send " + std::to_string(id) + ' ' + std::to_string(from) + ' ' + std::to_string(to) + ' ' +
                std::to_string(bytes) + '\n';
}

void NetworkProcess::go() {
    written_ += "go\n";
    flush();
}

void NetworkProcess::go_until(uint64_t at) {
    written_ += "go " + std::to_string(at) + '\n';
    flush();
}

void NetworkProcess::end() {
    written_ += "end\n";
    flush();
}

void NetworkProcess::fail(const std::string& sentence) {
    written_ = "error " + sentence + '\n';
    try {
        flush();
    } catch (const Fault&) {
        // It has ended already.
    }
}

void NetworkProcess::finish() {
    close(output_);
    output_ = -1;
    int status = 0;
    if (waitpid(pid_, &status, 0) < 0) throw system_fault("cannot wait for the network");
    pid_ = -1;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw Fault("the network failed");
}

std::string NetworkProcess::line() {
    for (;;) {
        const auto end = read_.find('\n');
        if (end != std::string::npos) {
            const auto text = read_.substr(0, end);
            read_.erase(0, end + 1);
            if (text.rfind("error ", 0) == 0) throw Fault("the network ended: " + text.substr(6));
            return text;
        }
        char chunk[CHUNK];
        const auto count = read(input_, chunk, sizeof chunk);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) throw Fault("the network ended in the middle of a run");
        read_.append(chunk, static_cast<size_t>(count));
    }
}

void NetworkProcess::flush() {
    for (size_t done = 0; done < written_.size();) {
        const auto count = write(output_, written_.data() + done, written_.size() - done);
        if (count < 0 && errno == EINTR) continue;
        // What it has said before it ended says why.
        if (count < 0) {
            written_.clear();
            for (;;) line();
        }
        done += static_cast<size_t>(count);
    }
    written_.clear();
}

}  // namespace hpcc
