# xla_add_model(NAME file.mlir [options of xla-compile ...])
#
# A static library NAME of a StableHLO program, with its header NAME.h: target_link_libraries(program NAME) is all that
# a program needs. XLA_COMPILE is the command, xla-compile by default; a list such as "python3;-m;xdsl_xla.tools.xla_compile"
# serves too.
if(NOT XLA_COMPILE)
  find_program(XLA_COMPILE xla-compile REQUIRED)
endif()

function(xla_add_model name file)
  get_filename_component(source "${file}" ABSOLUTE)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}_model")
  set(library "${folder}/lib${name}.a")
  set(header "${folder}/${name}.h")
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(
    OUTPUT "${library}" "${header}"
    COMMAND ${XLA_COMPILE} "${source}" --name ${name} -o "${library}" --header "${header}" ${ARGN}
    DEPENDS "${source}"
    COMMENT "Compiling the model ${name}"
    VERBATIM)
  add_custom_target(${name}_files DEPENDS "${library}" "${header}")
  add_library(${name} STATIC IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION "${library}" INTERFACE_INCLUDE_DIRECTORIES "${folder}")
  target_link_libraries(${name} INTERFACE m)
  # Parallel loops run on OpenMP's threads; without it they run on one, and compute the same.
  find_package(OpenMP QUIET)
  if(OpenMP_FOUND)
    target_link_libraries(${name} INTERFACE OpenMP::OpenMP_C)
  endif()
  add_dependencies(${name} ${name}_files)
endfunction()
