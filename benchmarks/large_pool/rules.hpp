// How many of 64 rules hold for a number. Each has a line and a branch of its own.
#pragma once

int rules_for(unsigned number);
