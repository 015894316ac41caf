create extension if not exists vector;
