int source();
