// The callables of the program, by their numbers.
#pragma once

enum calls_callable : unsigned {
  make_box,     // of a number
  put,          // a number into it; throws for negative ones
  get,          // what is in it
  name,         // a text and a number of the box
  self,         // the box again
  dereference,  // a null pointer
  abort_it,
  exit_with,  // the number
  loop,       // without an end
  write_file,
  open_socket,
  fork_once,
  start_program,
  kill_parent,
  compare,       // a number with 4711: goals 0 (false) and 1 (true)
  compare_text,  // a text with "secret": goals 2 and 3
  sum,           // of a list
  give_null,
  overflow,  // the stack
  deaf,      // waits, with all signals blocked
  babble,    // into every descriptor
  close_output,
  count_up,      // a static variable; compares it with 3: goals 0 and 1
  fill,          // a buffer
  larger,        // than 10? The function of node 0, with mutants of nodes 1 to 3
  today,         // days since 1970
  use_variable,  // compares it with 0: goals 0 and 1
  grow_heap,
  work,         // for so many milliseconds of CPU time
  wait_for_it,  // so many milliseconds
  is_there,     // whether a pointer leads to a box
  need,         // what is in the box that a pointer leads to
  box_callables
};
constexpr unsigned box_goals = 4;
