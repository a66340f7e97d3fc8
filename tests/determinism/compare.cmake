# Fails unless both programs print the same.
foreach(program IN ITEMS one other)
  execute_process(COMMAND "${${program}}" OUTPUT_VARIABLE printed_by_${program} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
string(LENGTH "${printed_by_one}" length)
if(length LESS 1000 OR NOT printed_by_one STREQUAL printed_by_other)
  message(FATAL_ERROR "'${one}' printed\n${printed_by_one}\n\n'${other}' printed\n${printed_by_other}")
endif()
