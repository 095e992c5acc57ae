// A process's side of the managers: which segments with names it has, said to those who remove the names.
#pragma once

#include <memory>
#include <string>

namespace shm {

class Manager;
using ManagerRef = std::shared_ptr<Manager>;

void setProgram(const std::string &path);

// The manager that this process makes its own segments with; started if need be.
ManagerRef ownManager();
// The one that a handle names, "address:token". Raises if there is none any more.
ManagerRef managerOf(const std::string &handle);

// Handles: whose manager, and which of its clients this process is.
std::string handleOf(const ManagerRef &manager);

void hold(const ManagerRef &manager, const std::string &name);
void drop(const ManagerRef &manager, const std::string &name) noexcept;
void sent(const ManagerRef &manager, const std::string &name);
void received(const std::string &handle, const std::string &name) noexcept;
// Returns when all that was said has been done.
void ask(const ManagerRef &manager);

}  // namespace shm
